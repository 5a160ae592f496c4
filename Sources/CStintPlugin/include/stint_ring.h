#ifndef STINT_RING_H
#define STINT_RING_H

/// The plugin's end of the ring for batches, since version 1.1. The ring is memory that the plugin shares
/// with Stint, so that samples need no system call. The ring is optional: a plugin that does not answer
/// `ring` sends everything through its channel.
///
/// The memory begins with words of 64 bits:
/// - at 0 a magic number, and at 8 the capacity; these two words never change;
/// - at 64 the number of bytes written, and at 128 the number of bytes read;
/// - at 192 whether the reader sleeps, and at 256 whether the writer sleeps.
///
/// The words that change are in separate cache lines. The data begins at 4096. A frame is preceded by its
/// length in 32 bits, and the length and the frame together are padded to a multiple of 8 bytes.
///
/// Only one thread of a plugin may write. This thread sends its frames in the order of their sequence
/// numbers, through the ring and the channel together.

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The inherited descriptors of the ring: the memory, the pipe that wakes Stint, and the pipe that
/// wakes the plugin.
#define STINT_RING_MEMORY 4
#define STINT_RING_EVENT 5
#define STINT_RING_ROOM 6

struct stint_ring {
  uint8_t *memory;
  uint64_t capacity;
  uint64_t written;
  uint64_t read;
  int event;
  int room;
};

/// Maps the ring that Stint has offered. Returns 0 on failure; the plugin must then use the channel.
static inline int stint_ring_map(struct stint_ring *ring, int memory, int event, int room, uint64_t capacity) {
  struct stat status;
  if (capacity < 4096 || (capacity & (capacity - 1)) != 0) return 0;
  if (fstat(memory, &status) != 0 || (uint64_t)status.st_size < 4096 + capacity) return 0;
  void *address = mmap(NULL, 4096 + capacity, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (address == MAP_FAILED) return 0;
  *ring = (struct stint_ring){(uint8_t *)address, capacity, 0, 0, event, room};
  return 1;
}

static inline uint64_t *stint_ring_word(struct stint_ring *ring, int place) {
  return (uint64_t *)(void *)(ring->memory + place);
}

static inline void stint_ring_copy(struct stint_ring *ring, uint64_t place, const void *bytes, uint64_t count) {
  uint64_t start = place & (ring->capacity - 1);
  uint64_t first = count < ring->capacity - start ? count : ring->capacity - start;
  memcpy(ring->memory + 4096 + start, bytes, first);
  memcpy(ring->memory + 4096, (const uint8_t *)bytes + first, count - first);
}

/// Writes a complete frame without blocking. Returns 0 when the ring has too little free space.
static inline int stint_ring_try(struct stint_ring *ring, const void *frame, uint32_t count) {
  uint64_t bytes = (4 + (uint64_t)count + 7) & ~(uint64_t)7;
  if (ring->capacity - (ring->written - ring->read) < bytes) {
    ring->read = __atomic_load_n(stint_ring_word(ring, 128), __ATOMIC_ACQUIRE);
    if (ring->capacity - (ring->written - ring->read) < bytes) return 0;
  }
  stint_ring_copy(ring, ring->written, &count, 4);
  stint_ring_copy(ring, ring->written + 4, frame, count);
  ring->written += bytes;
  __atomic_store_n(stint_ring_word(ring, 64), ring->written, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(stint_ring_word(ring, 192), __ATOMIC_SEQ_CST) != 0) {
    __atomic_store_n(stint_ring_word(ring, 192), 0, __ATOMIC_RELAXED);
    while (write(ring->event, "!", 1) < 0 && errno == EINTR) {}
  }
  return 1;
}

/// Writes a complete frame; blocks while the ring has too little free space.
static inline void stint_ring_write(struct stint_ring *ring, const void *frame, uint32_t count) {
  uint64_t bytes = (4 + (uint64_t)count + 7) & ~(uint64_t)7;
  while (!stint_ring_try(ring, frame, count)) {
    char calls[4096];
    while (read(ring->room, calls, sizeof calls) < 0 && errno == EINTR) {}
    __atomic_store_n(stint_ring_word(ring, 256), 1, __ATOMIC_SEQ_CST);
    ring->read = __atomic_load_n(stint_ring_word(ring, 128), __ATOMIC_SEQ_CST);
    if (ring->capacity - (ring->written - ring->read) >= bytes) {
      __atomic_store_n(stint_ring_word(ring, 256), 0, __ATOMIC_RELAXED);
      continue;
    }
    struct pollfd waiting = {ring->room, POLLIN, 0};
    while (poll(&waiting, 1, -1) < 0 && errno == EINTR) {}
  }
}

#endif
