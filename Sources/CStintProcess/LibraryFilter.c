#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CallFilter.h"
#include "stint_process.h"

#include <errno.h>
#include <stddef.h>

#if defined(__linux__)

#include <dlfcn.h>
#include <linux/filter.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// The interface of libseccomp has been stable since version 2.3, so its header is not needed. The library is
// loaded at run time, so that the daemon also starts without libseccomp. Without the library, this module
// builds the filter itself.
enum { allow = 0x7fff0000, refuse = 0x00050000, trace = 0x7ff00000, bad_architecture = 2, masked = 7 };

struct comparison {
  unsigned int argument;
  int operation;
  uint64_t first;
  uint64_t second;
};

struct library_version {
  unsigned int major, minor, micro;
};

static struct library {
  void *(*begin)(uint32_t);
  int (*set)(void *, int, uint32_t);
  int (*add)(void *, uint32_t, int, unsigned int, const struct comparison *);
  int (*export)(const void *, int);
  void (*end)(void *);
  const struct library_version *(*version)(void);
} library;

static pthread_once_t looked = PTHREAD_ONCE_INIT;
static int is_there;

static void look(void) {
  void *handle = dlopen("libseccomp.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  *(void **)&library.begin = dlsym(handle, "seccomp_init");
  *(void **)&library.set = dlsym(handle, "seccomp_attr_set");
  *(void **)&library.add = dlsym(handle, "seccomp_rule_add_array");
  *(void **)&library.export = dlsym(handle, "seccomp_export_bpf");
  *(void **)&library.end = dlsym(handle, "seccomp_release");
  *(void **)&library.version = dlsym(handle, "seccomp_version");
  is_there = library.begin && library.set && library.add && library.export && library.end && library.version;
}

int32_t stint_filter_library(void) {
  pthread_once(&looked, look);
  if (!is_there) return 0;
  const struct library_version *version = library.version();
  return (int32_t)(version->major * 10000 + version->minor * 100 + version->micro);
}

static int add(void *filter, const struct stint_call *call, uint32_t permissions) {
  if (call->rule == absent_call) return library.add(filter, refuse | ENOSYS, call->number, 0, NULL);
  if (stint_call_is_allowed(call, permissions)) return library.add(filter, allow, call->number, 0, NULL);
  struct stint_condition conditions[most_conditions];
  uint32_t count = stint_call_conditions(call, permissions, conditions);
  for (uint32_t place = 0; place < count; place++) {
    const struct stint_condition *condition = &conditions[place];
    struct comparison comparison = {condition->argument, masked, condition->mask, condition->value};
    uint32_t action = call->rule == threads_only ? trace | thread_mark : allow;
    if (library.add(filter, action, call->number, 1, &comparison) != 0) return -1;
  }
  return 0;
}

static int fill(void *filter, uint32_t permissions) {
  if (library.set(filter, bad_architecture, refuse | EPERM) != 0) return -1;
  uint32_t count;
  const struct stint_call *calls = stint_calls(&count);
  for (uint32_t place = 0; place < count; place++)
    if (add(filter, &calls[place], permissions) != 0) return -1;
  return 0;
}

struct stint_call_filter stint_library_filter(uint32_t permissions) {
  struct stint_call_filter result = {NULL, 0};
  if (stint_filter_library() == 0) return result;
  void *filter = library.begin(refuse | EPERM);
  if (filter == NULL) return result;
  int file = (int)syscall(SYS_memfd_create, "stint-filter", 1);
  if (file >= 0 && fill(filter, permissions) == 0 && library.export(filter, file) == 0) {
    off_t size = lseek(file, 0, SEEK_END);
    void *lines = size > 0 && size % (off_t)sizeof(struct sock_filter) == 0 ? malloc((size_t)size) : NULL;
    if (lines != NULL && pread(file, lines, (size_t)size, 0) == size)
      result = (struct stint_call_filter){lines, (uint32_t)((size_t)size / sizeof(struct sock_filter))};
    else
      free(lines);
  }
  if (file >= 0) close(file);
  library.end(filter);
  return result;
}

#else

int32_t stint_filter_library(void) { return 0; }

struct stint_call_filter stint_library_filter(uint32_t permissions) {
  (void)permissions;
  return (struct stint_call_filter){NULL, 0};
}

#endif
