#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "containment.h"

#include <errno.h>
#include <stddef.h>

#if defined(__linux__)

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Landlock as kernels have it, whatever headers the system has.
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446

enum {
  execute = 1 << 0,
  write_file = 1 << 1,
  read_file = 1 << 2,
  read_folder = 1 << 3,
  first_version = (1 << 13) - 1,
  refer = 1 << 13,      // since version 2
  truncate_file = 1 << 14,  // 3
  device_control = 1 << 15, // 5
};

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

int32_t stint_has_call_filter(void) {
#if defined(OUR_ARCHITECTURE)
  return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0;
#else
  return 0;
#endif
}

static int allow(int rules, const char *path, uint64_t access) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  // What is not there needs no rule.
  if (descriptor < 0) return 0;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode))
    access &= execute | write_file | read_file | truncate_file | device_control;
  struct landlock_path path_rule = {access, descriptor};
  long result = syscall(LANDLOCK_ADD, rules, 1, &path_rule, 0);
  close(descriptor);
  return result == 0 ? 0 : -1;
}

static int restrict_files(const struct stint_child_plan *plan) {
  int32_t version = stint_landlock_version();
  if (version == 0) return 0;
  struct landlock_rules all = {first_version, 0, 0};
  size_t size = 8;
  if (version >= 2) all.files |= refer;
  if (version >= 3) all.files |= truncate_file;
  if (version >= 4) {
    size = 16;
    // Binding and connecting.
    if (!plan->network) all.network = 3;
  }
  if (version >= 5) all.files |= device_control;
  if (version >= 6) {
    size = 24;
    // Abstract sockets and signals stay within.
    all.scope = 3;
  }
  int rules = (int)syscall(LANDLOCK_CREATE, &all, size, 0);
  if (rules < 0) return -1;
  uint64_t reading = execute | read_file | read_folder;
  for (const char *const *path = plan->readable; *path != NULL; path++)
    if (allow(rules, *path, reading) != 0) return -1;
  for (const char *const *path = plan->writable; *path != NULL; path++)
    if (allow(rules, *path, all.files & ~(uint64_t)execute) != 0) return -1;
  long result = syscall(LANDLOCK_RESTRICT, rules, 0);
  close(rules);
  return result == 0 ? 0 : -1;
}

#if defined(OUR_ARCHITECTURE)

/// Calls that no device needs, and by which a process could leave its group, its limits or its view of the system.
static const uint32_t refused[] = {
  SYS_setsid, SYS_setpgid, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_mount,
  SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open,
  SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module,
  SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname,
  SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_quotactl,
  SYS_acct, SYS_personality, SYS_open_by_handle_at, SYS_vhangup, SYS_mknodat, SYS_tkill,
  SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
  // pidfd_send_signal, io_uring, open_tree to fspick, pidfd_getfd, mount_setattr: the same everywhere.
  424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442,
#if defined(__x86_64__)
  SYS_iopl, SYS_ioperm, SYS_mknod, SYS_kexec_file_load,
#endif
};

enum { refused_count = sizeof refused / sizeof refused[0], most_lines = 2 * refused_count + 64 };

static const uint32_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
  | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

static int install(const void *lines, uint32_t count) {
  if (count > 0xffff) {
    errno = E2BIG;
    return -1;
  }
  struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)lines};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/// Who it is, is known only here: signals to itself, and none to anybody else. The rest is our own filter, for where
/// libseccomp has not built one.
static int filter_calls(const struct stint_child_plan *plan, int are_signals_all) {
  struct sock_filter lines[most_lines];
  unsigned short count = 0;
  uint32_t own = (uint32_t)getpid();
#define LINE(...) lines[count++] = (struct sock_filter)__VA_ARGS__
#define LOAD(place) LINE(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(place)))
#define ARGUMENT(number) LOAD(offsetof(struct seccomp_data, args) + 8 * (number))
#define UNLESS_EQUAL(value, lines_on) LINE(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, (lines_on)))
#define IF_EQUAL(value, lines_on) LINE(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), (lines_on), 0))
#define ANSWER(number) LINE(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number)))
#define PERMIT() LINE(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW))
  LOAD(offsetof(struct seccomp_data, arch));
  IF_EQUAL(OUR_ARCHITECTURE, 1);
  ANSWER(EPERM);
  LOAD(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  // The numbers of another calling convention.
  LINE(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  ANSWER(EPERM);
#endif
  for (int place = 0; place < refused_count && !are_signals_all; place++) {
    UNLESS_EQUAL(refused[place], 1);
    ANSWER(EPERM);
  }
  // Signals to itself only.
  for (int place = 0; place < 2; place++) {
    UNLESS_EQUAL(place == 0 ? SYS_kill : SYS_tgkill, 4);
    ARGUMENT(0);
    IF_EQUAL(own, 1);
    ANSWER(EPERM);
    PERMIT();
  }
  if (are_signals_all) {
    PERMIT();
    return install(lines, count);
  }
  // Its flags are out of sight; whoever tries it tries the old one next.
  UNLESS_EQUAL(435, 1);
  ANSWER(ENOSYS);
  UNLESS_EQUAL(SYS_clone, 4);
  ARGUMENT(0);
  LINE(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, new_namespaces, 0, 1));
  ANSWER(EPERM);
  PERMIT();
  // The signal that ends it with the daemon stays.
  UNLESS_EQUAL(SYS_prctl, 4);
  ARGUMENT(0);
  UNLESS_EQUAL(PR_SET_PDEATHSIG, 1);
  ANSWER(EPERM);
  PERMIT();
  if (plan->network) {
    UNLESS_EQUAL(SYS_socket, 6);
    ARGUMENT(0);
    IF_EQUAL(AF_INET, 3);
    IF_EQUAL(AF_INET6, 2);
    IF_EQUAL(AF_UNIX, 1);
    ANSWER(EPERM);
    PERMIT();
  } else {
    UNLESS_EQUAL(SYS_socket, 1);
    ANSWER(EPERM);
  }
  PERMIT();
  return install(lines, count);
}

#else

static int install(const void *lines, uint32_t count) {
  (void)lines;
  (void)count;
  return 0;
}

static int filter_calls(const struct stint_child_plan *plan, int are_signals_all) {
  (void)plan;
  (void)are_signals_all;
  return 0;
}

#endif

int stint_contain(const struct stint_child_plan *plan, const struct stint_call_filter *filter) {
  // Root loses what makes it root; for anybody else there is nothing to lose.
  for (int capability = 0; capability < 64; capability++)
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) break;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (restrict_files(plan) != 0) return -1;
  if (!stint_has_call_filter()) return 0;
  if (filter_calls(plan, filter->lines != NULL) != 0) return -1;
  return filter->lines == NULL ? 0 : install(filter->lines, filter->count);
}

#else

int32_t stint_landlock_version(void) { return 0; }

int32_t stint_has_call_filter(void) { return 0; }

int stint_contain(const struct stint_child_plan *plan, const struct stint_call_filter *filter) {
  (void)plan;
  (void)filter;
  errno = ENOSYS;
  return -1;
}

#endif
