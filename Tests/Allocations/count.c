// A library for LD_PRELOAD that counts calls of the allocator and of mutex locks. The program reads the two counts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static uint64_t allocations, locks;

uint64_t stint_counted_allocations(void) { return __atomic_load_n(&allocations, __ATOMIC_RELAXED); }
uint64_t stint_counted_locks(void) { return __atomic_load_n(&locks, __ATOMIC_RELAXED); }

static void count(uint64_t *sum) { __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) { count(&allocations); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count(&allocations); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { count(&allocations); return __libc_realloc(old, size); }
void *memalign(size_t at, size_t size) { count(&allocations); return __libc_memalign(at, size); }
void *aligned_alloc(size_t at, size_t size) { count(&allocations); return __libc_memalign(at, size); }
int posix_memalign(void **place, size_t at, size_t size) {
  count(&allocations);
  *place = __libc_memalign(at, size);
  return *place ? 0 : 12;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*next)(pthread_mutex_t *);
  if (!next) next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  count(&locks);
  return next(mutex);
}
