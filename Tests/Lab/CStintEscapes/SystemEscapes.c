#if defined(__linux__)
#define _GNU_SOURCE

#include "EscapeAttempts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

typedef const struct stint_escape_target target;

#define ATTEMPT(name, expression) \
  static int name(target *it) { \
    (void)it; \
    return STINT_WORKED(expression); \
  }

/// An attempt whose arguments do no harm when they reach the kernel.
#define HARMLESS(name, expression) \
  static int name(target *it) { \
    (void)it; \
    return STINT_REACHED(expression); \
  }

static int open_socket(int family, int kind) {
  int file = socket(family, kind, 0);
  if (file < 0) return errno;
  close(file);
  return 0;
}

static int internet(target *it) { return (void)it, open_socket(AF_INET, SOCK_STREAM); }
static int newer_internet(target *it) { return (void)it, open_socket(AF_INET6, SOCK_DGRAM); }
static int local(target *it) { return (void)it, open_socket(AF_UNIX, SOCK_STREAM); }
static int kernel_routes(target *it) { return (void)it, open_socket(AF_NETLINK, SOCK_RAW); }
static int packets(target *it) { return (void)it, open_socket(AF_PACKET, SOCK_RAW); }
static int ciphers(target *it) { return (void)it, open_socket(AF_ALG, SOCK_SEQPACKET); }
static int machines(target *it) { return (void)it, open_socket(AF_VSOCK, SOCK_STREAM); }

static int make_pair(int kind) {
  int ends[2];
  if (socketpair(AF_UNIX, kind, 0, ends) != 0) return errno;
  close(ends[0]);
  close(ends[1]);
  return 0;
}

static int datagram_pair(target *it) { return (void)it, make_pair(SOCK_DGRAM | SOCK_CLOEXEC); }
static int packet_pair(target *it) { return (void)it, make_pair(SOCK_SEQPACKET); }

static int send_to_address(target *it) {
  (void)it;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "/run/stint-escape"};
  int number = STINT_REACHED(sendto(ends[0], "x", 1, 0, (struct sockaddr *)&name, sizeof name));
  close(ends[0]);
  close(ends[1]);
  return number;
}

/// Adds a watch of a file. The kernel counts the watches of a user across all namespaces, so a contained
/// process could use up the watches of its user on the whole host.
static int watch_file(target *it) {
  (void)it;
  int file = inotify_init1(IN_CLOEXEC);
  if (file < 0) return errno;
  int number = inotify_add_watch(file, "/", IN_MODIFY) < 0 ? errno : 0;
  close(file);
  return number;
}

/// Creates a thousand timers. The kernel counts the timers of a user across all namespaces, so a contained
/// process could use up the timers of its user on the whole host.
static int take_timers(target *it) {
  (void)it;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  static timer_t timers[1000];
  int count = 0, number = 0;
  while (count < 1000 && number == 0) {
    if (timer_create(CLOCK_MONOTONIC, &event, &timers[count]) != 0) number = errno;
    else count++;
  }
  while (count > 0) timer_delete(timers[--count]);
  return number;
}

/// Tries to connect a socket of a pair to another address, which needs the call `connect`.
static int connect_pair(target *it) {
  (void)it;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "/run/stint-escape"};
  int number = STINT_REACHED(connect(ends[0], (struct sockaddr *)&name, sizeof name));
  close(ends[0]);
  close(ends[1]);
  return number;
}

static int own_filter(target *it) {
  (void)it;
  uint32_t action = SECCOMP_RET_ALLOW;
  return STINT_WORKED(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}

static int own_landlock(target *it) {
  (void)it;
  uint64_t files = 1;
  long file = syscall(444, &files, sizeof files, 0);
  if (file < 0) return errno;
  close((int)file);
  return 0;
}

static int set_capabilities(target *it) {
  (void)it;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct some[2] = {{1u << CAP_SYS_ADMIN, 1u << CAP_SYS_ADMIN, 0}, {0, 0, 0}};
  return STINT_WORKED(syscall(SYS_capset, &header, some));
}

static int adjust_clock(target *it) {
  (void)it;
  struct timex none;
  memset(&none, 0, sizeof none);
  return STINT_WORKED(adjtimex(&none));
}

static int adjust_a_clock(target *it) {
  (void)it;
  struct timex none;
  memset(&none, 0, sizeof none);
  return STINT_WORKED(syscall(SYS_clock_adjtime, CLOCK_REALTIME, &none));
}

/// On x86_64, makes a system call with a number of the x32 calling convention. Other processors have no such
/// numbers.
static int other_numbers(target *it) {
  (void)it;
#if defined(__x86_64__)
  return STINT_WORKED(syscall(0x40000000 | SYS_getpid));
#else
  return ENOSYS;
#endif
}

ATTEMPT(memory_file, syscall(SYS_memfd_create, "x", 0))
ATTEMPT(secret_memory, syscall(447, 0))
ATTEMPT(shared_segment, syscall(SYS_shmget, 0, 1 << 20, 01600))
ATTEMPT(message_queue, syscall(SYS_msgget, 0, 01600))
ATTEMPT(semaphores, syscall(SYS_semget, 0, 1, 01600))
HARMLESS(named_queue, syscall(SYS_mq_open, "stint-escape", O_CREAT | O_RDWR, 0600, NULL))
HARMLESS(faults, syscall(SYS_userfaultfd, 1))
HARMLESS(rings, syscall(425, 1, NULL))
HARMLESS(asynchronous_input, syscall(SYS_io_setup, 1, NULL))
HARMLESS(program_in_kernel, syscall(SYS_bpf, 0, NULL, 0))
HARMLESS(counters, syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0))
HARMLESS(keys, syscall(SYS_keyctl, 0, -4, 0))
HARMLESS(add_key, syscall(SYS_add_key, NULL, NULL, NULL, 0, -4))
HARMLESS(request_key, syscall(SYS_request_key, NULL, NULL, NULL, -4))
ATTEMPT(own_users, unshare(CLONE_NEWUSER))
ATTEMPT(own_mounts, unshare(CLONE_NEWNS))
ATTEMPT(own_descriptors, unshare(CLONE_FILES))
HARMLESS(enter_namespace, setns(0, CLONE_NEWNS))
HARMLESS(mount_something, mount("none", "/nowhere-of-stint", "tmpfs", 0, NULL))
HARMLESS(unmount, umount2("/nowhere-of-stint", 0))
HARMLESS(turn_root, syscall(SYS_pivot_root, "/nowhere-of-stint", "/nowhere-of-stint"))
HARMLESS(tree_of_mounts, syscall(428, AT_FDCWD, "/usr", 1))
HARMLESS(open_file_system, syscall(430, "tmpfs", 0))
HARMLESS(change_mount, syscall(442, AT_FDCWD, "/nowhere-of-stint", 0, NULL, 0))
ATTEMPT(become_root, syscall(SYS_setresuid, 0, 0, 0))
ATTEMPT(become_group, syscall(SYS_setresgid, 0, 0, 0))
ATTEMPT(leave_groups, syscall(SYS_setgroups, 0, NULL))
ATTEMPT(persona, personality(ADDR_NO_RANDOMIZE))
ATTEMPT(name_machine, sethostname("stint", 5))
HARMLESS(set_clock, syscall(SYS_clock_settime, CLOCK_REALTIME, NULL))
HARMLESS(restart, syscall(SYS_reboot, 0, 0, 0, NULL))
HARMLESS(swap, swapon("/nowhere-of-stint", 0))
HARMLESS(load_module, syscall(SYS_finit_module, -1, "", 0))
HARMLESS(load_kernel, syscall(SYS_kexec_load, 0, 0, NULL, 0xffffffff))
HARMLESS(account, syscall(SYS_acct, "/nowhere-of-stint"))
ATTEMPT(read_log, syscall(SYS_syslog, 3, (char[16]){0}, 16))
HARMLESS(quota, syscall(SYS_quotactl, 0, NULL, 0, NULL))
HARMLESS(watch_files, syscall(SYS_fanotify_init, 0, O_RDONLY))
HARMLESS(gift_memory, syscall(SYS_vmsplice, 1, NULL, 0, 0))
#if defined(__x86_64__)
HARMLESS(ports, syscall(SYS_ioperm, 0x80, 1, 1))
HARMLESS(all_ports, syscall(SYS_iopl, 3))
HARMLESS(segments, syscall(SYS_modify_ldt, 0, NULL, 0))
#endif

const struct stint_escape stint_system_escapes[] = {
  {"open an IPv4 socket", internet},
  {"open an IPv6 socket", newer_internet},
  {"open a local socket", local},
  {"open a socket to the kernel's routes", kernel_routes},
  {"open a packet socket", packets},
  {"open a socket to the kernel's ciphers", ciphers},
  {"open a socket to the hypervisor", machines},
  {"connect a socket of a pair", connect_pair},
  {"make a pair of datagram sockets", datagram_pair},
  {"make a pair of packet sockets", packet_pair},
  {"send to an address", send_to_address},
  {"watch a file", watch_file},
  {"take all timers of the user", take_timers},
  {"make a memory file", memory_file},
  {"make secret memory", secret_memory},
  {"make a shared memory segment", shared_segment},
  {"make a message queue", message_queue},
  {"make semaphores", semaphores},
  {"make a named message queue", named_queue},
  {"handle page faults", faults},
  {"use io_uring", rings},
  {"use asynchronous input", asynchronous_input},
  {"load a program into the kernel", program_in_kernel},
  {"use performance counters", counters},
  {"use kernel keys", keys},
  {"add a kernel key", add_key},
  {"request a kernel key", request_key},
  {"make a user namespace", own_users},
  {"make a mount namespace", own_mounts},
  {"unshare its descriptors", own_descriptors},
  {"enter a namespace", enter_namespace},
  {"mount", mount_something},
  {"unmount", unmount},
  {"pivot the root folder", turn_root},
  {"open a tree of mounts", tree_of_mounts},
  {"open a file system", open_file_system},
  {"change a mount", change_mount},
  {"become root", become_root},
  {"become root's group", become_group},
  {"leave its groups", leave_groups},
  {"get capabilities", set_capabilities},
  {"change its personality", persona},
  {"query the filter of system calls", own_filter},
  {"make Landlock rules", own_landlock},
  {"change the host name", name_machine},
  {"set the clock", set_clock},
  {"adjust the clock", adjust_clock},
  {"adjust the clock by clock_adjtime", adjust_a_clock},
  {"restart the machine", restart},
  {"use a swap file", swap},
  {"load a module", load_module},
  {"load a kernel", load_kernel},
  {"turn on process accounting", account},
  {"read the kernel's log", read_log},
  {"query disk quotas", quota},
  {"watch all files", watch_files},
  {"give memory to a pipe", gift_memory},
  {"call by the numbers of another calling convention", other_numbers},
#if defined(__x86_64__)
  {"use an I/O port", ports},
  {"use all I/O ports", all_ports},
  {"change memory segments", segments},
#endif
  {NULL, NULL},
};

#endif
