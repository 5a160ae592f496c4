#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "containment.h"

#include <errno.h>
#include <stddef.h>

#if defined(__linux__)

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The Landlock interface of current kernels. It is defined here, because the system's headers may be older.
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446

enum {
  execute = 1 << 0,
  write_file = 1 << 1,
  read_file = 1 << 2,
  read_folder = 1 << 3,
  first_version = (1 << 13) - 1,
  refer = 1 << 13,          // since version 2
  truncate_file = 1 << 14,  // since version 3
  device_control = 1 << 15, // since version 5
};

enum { most_groups = 32 };

struct landlock_rules {
  uint64_t files;
  uint64_t network;
  uint64_t scope;
};

struct __attribute__((packed)) landlock_path {
  uint64_t allowed;
  int32_t descriptor;
};

int32_t stint_landlock_version(void) {
  long version = syscall(LANDLOCK_CREATE, NULL, 0, 1);
  return version < 0 ? 0 : (int32_t)version;
}

static int allow(int rules, const char *path, uint64_t access) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  // A missing path needs no rule.
  if (descriptor < 0) return 0;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode))
    access &= execute | write_file | read_file | truncate_file | device_control;
  struct landlock_path path_rule = {access, descriptor};
  long result = syscall(LANDLOCK_ADD, rules, 1, &path_rule, 0);
  close(descriptor);
  return result == 0 ? 0 : -1;
}

int stint_restrict_files(const struct stint_child_plan *plan, uint32_t *held) {
  int32_t version = plan->without & stint_means_landlock ? 0 : stint_landlock_version();
  if (version == 0) return 0;
  struct landlock_rules all = {first_version, 0, 0};
  size_t size = 8;
  if (version >= 2) all.files |= refer;
  if (version >= 3) all.files |= truncate_file;
  if (version >= 4) {
    size = 16;
    // TCP: bind and connect.
    if (!plan->network) all.network = 3;
  }
  if (version >= 5) all.files |= device_control;
  if (version >= 6) {
    size = 24;
    // Scope: abstract sockets and signals do not leave the domain.
    all.scope = 3;
  }
  int rules = (int)syscall(LANDLOCK_CREATE, &all, size, 0);
  if (rules < 0) return -1;
  uint64_t reading = execute | read_file | read_folder;
  for (const struct stint_path *path = plan->paths; path->path != NULL; path++) {
    uint64_t access = path->access & stint_path_writable ? all.files & ~(uint64_t)execute
      : path->access & stint_path_readable             ? reading
                                                       : 0;
    if (access != 0 && allow(rules, path->path, access) != 0) return -1;
  }
  for (const char *const *folder = plan->sealed_folders; *folder != NULL; folder++)
    if (allow(rules, *folder, read_folder) != 0) return -1;
  for (uint32_t place = 0; place < plan->sealed_count; place++)
    if (allow(rules, plan->sealed_files[place].path, execute | read_file) != 0) return -1;
  // In a private root, /proc shows only processes of the same namespace. Swift programs read their arguments
  // from /proc.
  if ((*held & stint_means_mount_namespace) && allow(rules, "/proc", read_file | read_folder) != 0) return -1;
  long result = syscall(LANDLOCK_RESTRICT, rules, 0);
  close(rules);
  if (result != 0) return -1;
  *held |= stint_means_landlock;
  return 0;
}

int stint_become_user(const struct stint_child_plan *plan) {
  gid_t groups[most_groups];
  if (plan->group_count > most_groups) {
    errno = EINVAL;
    return -1;
  }
  for (uint32_t place = 0; place < plan->group_count; place++) groups[place] = plan->groups[place];
  // Raw system calls: the library's wrappers would signal threads, which a forked process does not have.
  if (syscall(SYS_setgroups, (size_t)plan->group_count, groups) != 0) return -1;
  if (syscall(SYS_setresgid, plan->user, plan->user, plan->user) != 0) return -1;
  return syscall(SYS_setresuid, plan->user, plan->user, plan->user) == 0 ? 0 : -1;
}

void stint_bound_privileges(void) {
  for (int capability = 0; capability < 64; capability++)
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) break;
  // A process without capabilities cannot set these bits and does not need them.
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP
                             | SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED, 0, 0, 0);
}

int stint_drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  return syscall(SYS_capset, &header, none) == 0 ? 0 : -1;
}

#else

int32_t stint_landlock_version(void) { return 0; }

#endif
