#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "containment.h"

#include <errno.h>
#include <stddef.h>

#if defined(__linux__)

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// The library's interface, as it has been since version 2.3 and stays; its header need not be here. It is looked for at
// run time, so that the daemon starts and contains without it.
enum { allow = 0x7fff0000, refuse = 0x00050000, bad_architecture = 2, equal = 4, greater = 5, masked = 7 };

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
  int (*number)(const char *);
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
  *(void **)&library.number = dlsym(handle, "seccomp_syscall_resolve_name");
  *(void **)&library.add = dlsym(handle, "seccomp_rule_add_array");
  *(void **)&library.export = dlsym(handle, "seccomp_export_bpf");
  *(void **)&library.end = dlsym(handle, "seccomp_release");
  *(void **)&library.version = dlsym(handle, "seccomp_version");
  is_there = library.begin && library.set && library.number && library.add && library.export && library.end
    && library.version;
}

int32_t stint_filter_library(void) {
  pthread_once(&looked, look);
  if (!is_there) return 0;
  const struct library_version *version = library.version();
  return (int32_t)(version->major * 10000 + version->minor * 100 + version->micro);
}

/// Calls that no device needs, and by which a process could leave its group, its limits or its view of the system.
static const char *const refused[] = {
  "setsid", "setpgid", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "mount", "umount", "umount2",
  "pivot_root", "chroot", "unshare", "setns", "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key",
  "request_key", "init_module", "finit_module", "delete_module", "create_module", "kexec_load", "kexec_file_load",
  "reboot", "swapon", "swapoff", "sethostname", "setdomainname", "settimeofday", "stime", "clock_settime",
  "clock_adjtime", "adjtimex", "quotactl", "quotactl_fd", "acct", "personality", "open_by_handle_at", "vhangup",
  "mknod", "mknodat", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "pidfd_getfd",
  "process_madvise", "io_uring_setup", "io_uring_enter", "io_uring_register", "open_tree", "move_mount", "fsopen",
  "fsconfig", "fsmount", "fspick", "mount_setattr", "iopl", "ioperm", "vm86", "modify_ldt", NULL,
};

/// Each flag of clone that makes a namespace.
static const uint32_t namespaces[] = {
  0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0,
};

static int add(void *filter, uint32_t action, const char *name, const struct comparison *comparison) {
  int number = library.number(name);
  // What this processor's kernel does not have cannot be called.
  if (number < 0) return 0;
  return library.add(filter, action, number, comparison == NULL ? 0 : 1, comparison);
}

static int fill(void *filter, int32_t network) {
  uint32_t no = refuse | EPERM;
  if (library.set(filter, bad_architecture, no) != 0) return -1;
  for (const char *const *name = refused; *name != NULL; name++)
    if (add(filter, no, *name, NULL) != 0) return -1;
  // Its flags are out of sight; whoever tries it tries the old one next.
  if (add(filter, refuse | ENOSYS, "clone3", NULL) != 0) return -1;
  for (const uint32_t *flag = namespaces; *flag != 0; flag++)
    if (add(filter, no, "clone", &(struct comparison){0, masked, *flag, *flag}) != 0) return -1;
  // The signal that ends it with the daemon stays.
  if (add(filter, no, "prctl", &(struct comparison){0, equal, 1, 0}) != 0) return -1;
  if (!network) return add(filter, no, "socket", NULL);
  // All families but those of local sockets and of the internet: 1, 2 and 10.
  for (uint64_t family = 0; family < 10; family++) {
    if (family == 1 || family == 2) continue;
    if (add(filter, no, "socket", &(struct comparison){0, equal, family, 0}) != 0) return -1;
  }
  return add(filter, no, "socket", &(struct comparison){0, greater, 10, 0});
}

static struct stint_call_filter built[2];
static pthread_mutex_t building = PTHREAD_MUTEX_INITIALIZER;

/// What the library makes of the rules, as the kernel takes it.
static void build(struct stint_call_filter *result, int32_t network) {
  void *filter = library.begin(allow);
  if (filter == NULL) return;
  int file = (int)syscall(SYS_memfd_create, "stint-filter", 1);
  if (file >= 0 && fill(filter, network) == 0 && library.export(filter, file) == 0) {
    off_t size = lseek(file, 0, SEEK_END);
    void *lines = size > 0 && size % (off_t)sizeof(struct sock_filter) == 0 ? malloc((size_t)size) : NULL;
    if (lines != NULL && pread(file, lines, (size_t)size, 0) == size) {
      *result = (struct stint_call_filter){lines, (uint32_t)((size_t)size / sizeof(struct sock_filter))};
    } else {
      free(lines);
    }
  }
  if (file >= 0) close(file);
  library.end(filter);
}

struct stint_call_filter stint_build_call_filter(int32_t network) {
  if (stint_filter_library() == 0) return (struct stint_call_filter){NULL, 0};
  pthread_mutex_lock(&building);
  struct stint_call_filter *place = &built[network != 0];
  if (place->lines == NULL) build(place, network);
  struct stint_call_filter result = *place;
  pthread_mutex_unlock(&building);
  return result;
}

#else

int32_t stint_filter_library(void) { return 0; }

struct stint_call_filter stint_build_call_filter(int32_t network) {
  (void)network;
  return (struct stint_call_filter){NULL, 0};
}

#endif
