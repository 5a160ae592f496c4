import StintRuntime
import StintTools

/// A C program that is compiled on demand. It contains a plugin and two baselines.
///
/// The plugin delivers samples at full speed. The baselines transfer samples between two processes through a
/// ring with a futex, and through a pipe.
struct BoundaryProgram {
  /// The path of the program, in its own temporary folder.
  let path: String
  private let folder: String

  private static let names = [
    "bench.c", "bench", "log", "out", "stint_channel.h", "stint_plugin.h", "stint_ring.h",
  ]

  /// Compiles the program. Returns nil when there is no C compiler or a file cannot be written.
  init?() {
    guard let folder = ChildProcess.temporaryFolder() else { return nil }
    self.folder = folder
    path = "\(folder)/bench"
    let files = [
      ("bench.c", Array(Self.source.utf8)), ("stint_channel.h", PluginHeaders.channel),
      ("stint_plugin.h", PluginHeaders.protocolNumbers),
      ("stint_ring.h", PluginHeaders.ring),
    ]
    do {
      for (name, bytes) in files { try FileText.write(bytes, to: "\(folder)/\(name)") }
    } catch {
      remove()
      return nil
    }
    let compile = ["cc", "-O2", "-std=gnu11", "-o", path, "\(folder)/bench.c"]
    guard ChildProcess.run(compile, output: "\(folder)/log") == 0 else {
      remove()
      return nil
    }
  }

  /// Removes the program. Do not use the value afterwards.
  func remove() { ChildProcess.remove(Self.names, folder: folder) }

  /// Returns the mean wall-clock nanoseconds for a frame of `size` samples; nil when the program fails. `way`
  /// is `futex`, `pipe` or `echo`; `echo` measures the round trip through a pipe.
  func measure(_ way: String, size: Int, frames: Int) -> Double? {
    guard ChildProcess.run([path, way, "\(size)", "\(frames)"], output: "\(folder)/out") == 0 else {
      return nil
    }
    let bytes: [UInt8]
    do { bytes = try FileText.read("\(folder)/out") } catch { return nil }
    return Double(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" })
  }

  private static let source = """
    #define _GNU_SOURCE
    #include "stint_channel.h"
    #include <linux/futex.h>
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <sys/wait.h>

    enum { CAPACITY = 1 << 18, MOST = 1024 };
    static struct stint_sample samples[MOST], got[MOST];
    static int size, frames, left;
    static uint64_t number, sum;

    static double clock_now(void) {
      struct timespec t;
      clock_gettime(CLOCK_MONOTONIC, &t);
      return t.tv_sec * 1e9 + t.tv_nsec;
    }
    static void fill(void) {
      int64_t now = stint_now();
      for (int i = 0; i < size; i++) {
        samples[i].instant = now;
        samples[i].sequence = number++;
      }
    }

    // The plugin.

    static void opened(const struct stint_entry *entries, int count) { (void)entries; (void)count; }
    static const char *apply(const struct stint_told *told, uint32_t *state, int64_t *period) {
      // While the plugin must hold samples, it sends no samples and only answers settings.
      left = told->is_on && !told->is_holding ? frames : 0;
      *state = told->is_on;
      *period = 0;
      return NULL;
    }
    static void nothing(void) {}
    static int64_t due(void) { return left > 0 ? 0 : INT64_MAX; }
    static void work(void) {
      for (int turn = 0; turn < 256 && left > 0; turn++, left--) {
        fill();
        stint_deliver(samples, (uint32_t)size, STINT_IMMEDIATE);
      }
    }
    static int serve(void) {
      static const char *const states[] = {"off", "on", NULL}, *const none[] = {NULL};
      static const char *const channels[] = {"a", "", "b", "", "c", "", "d", "", NULL};
      static const struct stint_device device = {
        "bench.source", states, none, channels, none, opened, apply, nothing, nothing, due, work};
      return stint_run(&device);
    }

    // The baselines.

    struct ring {
      _Alignas(64) _Atomic uint64_t written;
      _Alignas(64) _Atomic uint64_t read;
      _Alignas(64) _Atomic uint32_t news;
      _Alignas(64) _Atomic uint32_t room;
      _Alignas(64) _Atomic uint32_t reader_sleeps;
      _Alignas(64) _Atomic uint32_t writer_sleeps;
      _Alignas(64) uint8_t bytes[CAPACITY];
    };
    static void futex(_Atomic uint32_t *word, int what, uint32_t value) {
      syscall(SYS_futex, word, what, value, NULL, NULL, 0);
    }
    static void copy_in(struct ring *ring, uint64_t at, const void *bytes, uint64_t count) {
      uint64_t start = at & (CAPACITY - 1), first = count < CAPACITY - start ? count : CAPACITY - start;
      memcpy(ring->bytes + start, bytes, first);
      memcpy(ring->bytes, (const uint8_t *)bytes + first, count - first);
    }
    static void copy_out(struct ring *ring, uint64_t at, void *bytes, uint64_t count) {
      uint64_t start = at & (CAPACITY - 1), first = count < CAPACITY - start ? count : CAPACITY - start;
      memcpy(bytes, ring->bytes + start, first);
      memcpy((uint8_t *)bytes + first, ring->bytes, count - first);
    }
    static void take_in(void) {
      for (int i = 0; i < size; i++) sum += got[i].sequence;
    }
    static void write_ring(struct ring *ring) {
      uint64_t bytes = (uint64_t)size * sizeof *samples, written = 0, read = 0;
      for (int frame = 0; frame < frames; frame++) {
        fill();
        while (CAPACITY - (written - read) < bytes) {
          read = ring->read;
          if (CAPACITY - (written - read) >= bytes) break;
          uint32_t before = ring->room;
          ring->writer_sleeps = 1;
          read = ring->read;
          if (CAPACITY - (written - read) < bytes) futex(&ring->room, FUTEX_WAIT, before);
          ring->writer_sleeps = 0;
        }
        copy_in(ring, written, samples, bytes);
        written += bytes;
        ring->written = written;
        if (ring->reader_sleeps) {
          ring->reader_sleeps = 0;
          ring->news++;
          futex(&ring->news, FUTEX_WAKE, 1);
        }
      }
    }
    static void read_ring(struct ring *ring) {
      uint64_t bytes = (uint64_t)size * sizeof *samples, written = 0, read = 0;
      for (int frame = 0; frame < frames; frame++) {
        while (written == read) {
          written = ring->written;
          if (written != read) break;
          uint32_t before = ring->news;
          ring->reader_sleeps = 1;
          written = ring->written;
          if (written == read) futex(&ring->news, FUTEX_WAIT, before);
          ring->reader_sleeps = 0;
        }
        copy_out(ring, read, got, bytes);
        take_in();
        read += bytes;
        ring->read = read;
        if (ring->writer_sleeps && written - read <= CAPACITY / 2) {
          ring->writer_sleeps = 0;
          ring->room++;
          futex(&ring->room, FUTEX_WAKE, 1);
        }
      }
    }
    static void all(int descriptor, void *bytes, size_t count, bool is_write) {
      for (size_t done = 0; done < count;) {
        ssize_t more = is_write ? write(descriptor, (char *)bytes + done, count - done)
                                : read(descriptor, (char *)bytes + done, count - done);
        if (more <= 0) exit(3);
        done += (size_t)more;
      }
    }

    int main(int count, char **words) {
      if (count < 4) return 2;
      size = atoi(words[2]);
      frames = atoi(words[3]);
      if (size < 1 || size > MOST) return 2;
      if (strcmp(words[1], "plugin") == 0) return serve();
      int there[2], back[2];
      struct ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      if (ring == MAP_FAILED || pipe(there) != 0 || pipe(back) != 0) return 3;
      bool is_ring = strcmp(words[1], "futex") == 0, is_echo = strcmp(words[1], "echo") == 0;
      size_t bytes = (size_t)size * sizeof *samples;
      double began = clock_now();
      pid_t child = fork();
      if (child == 0) {
        if (is_ring) write_ring(ring);
        else for (int frame = 0; frame < frames; frame++) {
          if (is_echo) all(back[0], got, bytes, false);
          else fill();
          all(there[1], samples, bytes, true);
        }
        _exit(0);
      }
      if (is_ring) read_ring(ring);
      else for (int frame = 0; frame < frames; frame++) {
        if (is_echo) all(back[1], samples, bytes, true);
        all(there[0], got, bytes, false);
        take_in();
      }
      double span = clock_now() - began;
      waitpid(child, NULL, 0);
      uint64_t all_of_them = (uint64_t)frames * (uint64_t)size;
      if (!is_echo && sum != all_of_them * (all_of_them - 1) / 2) return 4;
      printf("%.2f\\n", span / frames);
      return 0;
    }

    """
}
