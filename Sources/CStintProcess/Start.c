#if defined(__linux__)
#define _GNU_SOURCE

#include "containment.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/// The child's descriptors: standard input, output and error, the channel, a ring, and the report socket.
enum { channel_place = 3, ring_place = 4, report_place = 7, above_all = 16 };

enum {
  process_means = stint_means_process_namespace | stint_means_ipc_namespace | stint_means_mount_namespace,
  /// A value of `step`: the namespaces or the user could not be set up. The next attempt uses other
  /// namespaces or another user.
  step_namespaces = 100,
};

/// The child's report of its start: a failed step, or 0 with the active containment mechanisms.
struct report {
  int32_t step;
  int32_t number;
  uint32_t held;
};

/// The pairs of descriptors of a start, each with the parent's end first.
struct ends {
  int channel[2], talk[2], report[2];
};

/// The inputs of one attempt at a start.
struct attempt {
  const struct stint_child_plan *plan;
  struct stint_call_filter filter;
  /// The filter for a process whose number of watches is limited.
  struct stint_call_filter watching_filter;
  /// The namespaces to try, as bits `stint_means_…_namespace`.
  uint32_t namespaces;
};

static void fail(int report, int step, int number) {
  struct report failure = {step, number, 0};
  ssize_t ignored = write(report, &failure, sizeof failure);
  (void)ignored;
  _exit(127);
}

static void limit(int report, int resource, uint64_t most) {
  struct rlimit bound = {most, most}, present;
  if (getrlimit((__rlimit_resource_t)resource, &present) == 0 && present.rlim_max < most)
    bound.rlim_cur = bound.rlim_max = present.rlim_max;
  if (setrlimit((__rlimit_resource_t)resource, &bound) != 0) fail(report, stint_step_preparing, errno);
}

static void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  long most = sysconf(_SC_OPEN_MAX);
  for (int place = first; place < (most > 0 ? most : 1024); place++) close(place);
}

/// Moves the child's descriptors to their numbers and closes all other descriptors. Returns the report
/// socket.
static int arrange(const struct stint_child_plan *plan, const struct ends *ends) {
  // First move the descriptors above the numbers that they will get, so that no descriptor is overwritten.
  int channel = fcntl(ends->channel[1], F_DUPFD_CLOEXEC, above_all);
  int talk = fcntl(ends->talk[1], F_DUPFD_CLOEXEC, above_all);
  int report = fcntl(ends->report[1], F_DUPFD_CLOEXEC, above_all);
  if (report < 0) _exit(127);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (channel < 0 || talk < 0 || nothing < 0) fail(report, stint_step_preparing, errno);
  int ring[3];
  for (int place = 0; place < 3; place++) {
    ring[place] = plan->ring[place] < 0 ? -1 : fcntl(plan->ring[place], F_DUPFD_CLOEXEC, above_all);
    if (plan->ring[place] >= 0 && ring[place] < 0) fail(report, stint_step_preparing, errno);
  }
  if (dup2(nothing, 0) < 0 || dup2(talk, 1) < 0 || dup2(talk, 2) < 0)
    fail(report, stint_step_preparing, errno);
  if (dup2(channel, channel_place) < 0 || dup3(report, report_place, O_CLOEXEC) < 0)
    fail(report, stint_step_preparing, errno);
  for (int place = 0; place < 3; place++) {
    if (ring[place] < 0) close(ring_place + place);
    else if (dup2(ring[place], ring_place + place) < 0) fail(report_place, stint_step_preparing, errno);
  }
  close_from(report_place + 1);
  return report_place;
}

/// Waits until the parent has mapped users and moved this process into the cgroup. Returns the mechanisms
/// that the parent has activated.
static uint32_t wait_for_parent(int report) {
  uint32_t held = 0;
  ssize_t count;
  do count = read(report, &held, sizeof held);
  while (count < 0 && errno == EINTR);
  // When the parent has ended, the child has no host, so it ends too.
  if (count != sizeof held) _exit(127);
  return held;
}

/// Makes the system kill this process when its parent ends. Call it after the last change of the user,
/// because such a change resets this setting.
static void end_with_parent(int report) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(report, stint_step_preparing, errno);
  struct pollfd parent = {report, 0, 0};
  if (poll(&parent, 1, 0) > 0 && (parent.revents & POLLHUP)) _exit(127);
}

/// Returns whether the kernel (since 5.14) counts a user's processes separately in each user namespace.
static int counts_by_namespace(void) {
  struct utsname system;
  if (uname(&system) != 0) return 0;
  int major = 0, minor = 0;
  const char *place = system.release;
  for (; *place >= '0' && *place <= '9' && major < 1000; place++) major = major * 10 + *place - '0';
  if (*place == '.') place++;
  for (; *place >= '0' && *place <= '9' && minor < 1000; place++) minor = minor * 10 + *place - '0';
  return major > 5 || (major == 5 && minor >= 14);
}

static void set_limits(const struct stint_child_plan *plan, int report, uint32_t *held) {
  limit(report, RLIMIT_CORE, 0);
  // The kernel counts timers as waiting signals of the user, both inside and outside of the namespace.
  if (plan->timers > 0) limit(report, RLIMIT_SIGPENDING, plan->timers);
  if (plan->descriptors > 0) limit(report, RLIMIT_NOFILE, plan->descriptors);
  if (plan->memory > 0) limit(report, RLIMIT_AS, plan->memory);
  // RLIMIT_NPROC does not apply to root, and it counts all processes of a user. So the user must be separate,
  // or the kernel must count each user namespace separately.
  int counts_own =
    plan->user != 0 || ((*held & stint_means_user_namespace) && geteuid() != 0 && counts_by_namespace());
  if (plan->processes > 0 && counts_own) {
    limit(report, RLIMIT_NPROC, plan->processes);
    *held |= stint_means_process_limit;
  }
}

/// Reports the active mechanisms to the parent, and passes the descriptor through which the parent receives
/// denied calls.
static void say(int report, uint32_t held, int listener) {
  struct report done = {0, 0, held};
  struct iovec part = {&done, sizeof done};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (listener >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &listener, sizeof listener);
  }
  if (sendmsg(report, &message, MSG_NOSIGNAL) != sizeof done) _exit(127);
  if (listener >= 0) close(listener);
}

static int write_limit(const char *path, uint64_t most) {
  char text[24];
  int count = snprintf(text, sizeof text, "%llu\n", (unsigned long long)most);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int result = write(file, text, (size_t)count) == count ? 0 : -1;
  close(file);
  return result;
}

/// Limits the file watches in this process's own user namespace. Returns whether both limits are set. Without
/// these limits, a process could take all watches that the system allows the daemon's user.
static int limit_watches(const struct attempt *attempt) {
  uint64_t most = attempt->plan->watches;
  if (!(attempt->namespaces & stint_means_user_namespace)) return 0;
  return write_limit("/proc/sys/user/max_inotify_instances", most > 8 ? 8 : most) == 0
    && write_limit("/proc/sys/user/max_inotify_watches", most) == 0;
}

/// Runs the child from fork to exec. Makes only calls that are safe between fork and exec.
static void become(const struct attempt *attempt, const struct ends *ends) {
  const struct stint_child_plan *plan = attempt->plan;
  int report = arrange(plan, ends);
  // A separate session: no terminal, and one scheduling group for all its processes.
  if (setsid() < 0) fail(report, stint_step_preparing, errno);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  umask(022);
  uint32_t held = wait_for_parent(report) | attempt->namespaces;
  if (plan->user != 0) held |= stint_means_own_user;
  struct stint_call_filter filter = limit_watches(attempt) ? attempt->watching_filter : attempt->filter;
  if (attempt->namespaces & stint_means_mount_namespace) {
    if (stint_enter_own_root(plan) != 0) fail(report, step_namespaces, errno);
  }
  if (chdir(plan->folder) != 0) fail(report, stint_step_preparing, errno);
  set_limits(plan, report, &held);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(report, stint_step_containing, errno);
  if (stint_restrict_files(plan, &held) != 0) fail(report, stint_step_containing, errno);
  stint_bound_privileges();
  // A user namespace can lack the id of the plan's user, for example when an unprivileged user made it.
  if (plan->user != 0 && stint_become_user(plan) != 0) fail(report, step_namespaces, errno);
  if (stint_drop_capabilities() != 0) fail(report, stint_step_containing, errno);
  end_with_parent(report);
  int listener = -1;
  if (filter.lines != NULL) {
    // Without another limit, the parent counts the threads.
    int is_limited = held & (stint_means_process_limit | stint_means_cgroup);
    if (stint_install_call_filter(filter, !is_limited, &listener) != 0)
      fail(report, stint_step_containing, errno);
    if (listener >= 0 && !is_limited) held |= stint_means_process_limit;
    held |= stint_means_call_filter | (listener >= 0 ? stint_means_call_notice : 0);
  }
  uint32_t missing = plan->required & ~held;
  if (missing != 0) fail(report, stint_step_means, (int)missing);
  say(report, held, listener);
  execve(plan->path, plan->arguments, plan->environment);
  fail(report, stint_step_program, errno);
}

static void close_pair(int pair[2]) {
  for (int place = 0; place < 2; place++) {
    if (pair[place] >= 0) close(pair[place]);
    pair[place] = -1;
  }
}

static void close_ends(struct ends *ends) {
  close_pair(ends->channel);
  close_pair(ends->talk);
  close_pair(ends->report);
}

static int open_ends(struct ends *ends) {
  *ends = (struct ends){{-1, -1}, {-1, -1}, {-1, -1}};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->channel) == 0
      && pipe2(ends->talk, O_CLOEXEC) == 0
      && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->report) == 0)
    return 0;
  int number = errno;
  close_ends(ends);
  return number;
}

static int write_file(pid_t pid, const char *name, const char *text) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = (ssize_t)strlen(text);
  int result = write(file, text, (size_t)count) == count ? 0 : -1;
  close(file);
  return result;
}

/// Maps user and group ids to equal ids in the child's user namespace. These are the ids of the caller, and
/// of the plan's user if there is one.
static int map_users(const struct stint_child_plan *plan, pid_t pid) {
  char text[1024];
  unsigned user = geteuid(), group = getegid();
  size_t size = sizeof text;
  int count = snprintf(text, size, "%u %u 1\n", user, user);
  if (plan->user != 0) snprintf(text + count, size - (size_t)count, "%u %u 1\n", plan->user, plan->user);
  if (write_file(pid, "uid_map", text) != 0) return -1;
  count = snprintf(text, size, "%u %u 1\n", group, group);
  // A caller that is not root may map only its own ids, and the process keeps its groups.
  if (plan->user == 0) {
    write_file(pid, "setgroups", "deny");
    return write_file(pid, "gid_map", text);
  }
  count += snprintf(text + count, size - (size_t)count, "%u %u 1\n", plan->user, plan->user);
  for (uint32_t place = 0; place < plan->group_count && (size_t)count < size - 32; place++) {
    unsigned further = plan->groups[place];
    count += snprintf(text + count, size - (size_t)count, "%u %u 1\n", further, further);
  }
  return write_file(pid, "gid_map", text);
}

static int enter_cgroup(int procs, pid_t pid) {
  char text[16];
  int count = snprintf(text, sizeof text, "%d\n", (int)pid);
  return write(procs, text, (size_t)count) == count ? 0 : -1;
}

/// Reads the child's reports until its program runs. Returns 0 when the program runs: `said` then contains
/// the active mechanisms, and `listener` the descriptor for denied calls. Returns -1 on failure, with the
/// failed step in `said`.
static int listen_to(int report, struct report *said, int *listener) {
  *said = (struct report){stint_step_preparing, EPIPE, 0};
  *listener = -1;
  int is_started = 0;
  while (1) {
    struct report part = {0, 0, 0};
    struct iovec place = {&part, sizeof part};
    union {
      char bytes[CMSG_SPACE(sizeof(int))];
      struct cmsghdr aligned;
    } control;
    struct msghdr message = {
      .msg_iov = &place, .msg_iovlen = 1,
      .msg_control = control.bytes, .msg_controllen = sizeof control.bytes,
    };
    ssize_t count = recvmsg(report, &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) continue;
    if (count != sizeof part) return is_started && count == 0 ? 0 : -1;
    uint32_t held = said->held;
    *said = part;
    if (part.step != 0) {
      said->held = held;
      return -1;
    }
    is_started = 1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head != NULL && head->cmsg_type == SCM_RIGHTS) memcpy(listener, CMSG_DATA(head), sizeof *listener);
  }
}

static pid_t spawn(const struct attempt *attempt) {
  uint32_t namespaces = attempt->namespaces;
  unsigned long flags = SIGCHLD;
  if (namespaces & stint_means_user_namespace) flags |= CLONE_NEWUSER;
  if (namespaces & stint_means_mount_namespace) flags |= CLONE_NEWNS;
  if (namespaces & stint_means_process_namespace) flags |= CLONE_NEWPID;
  if (namespaces & stint_means_ipc_namespace) flags |= CLONE_NEWIPC;
  if (namespaces & stint_means_network_namespace) flags |= CLONE_NEWNET;
#if defined(__s390__)
  return (pid_t)syscall(SYS_clone, NULL, flags, NULL, NULL, 0);
#else
  return (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, 0);
#endif
}

/// Makes one attempt at a start.
static int try_start(const struct attempt *attempt, struct stint_child *child, int32_t *step) {
  struct ends ends;
  int number = open_ends(&ends), listener = -1, ending = -1;
  *step = stint_step_before;
  if (number != 0) return number;
  pid_t pid = spawn(attempt);
  if (pid == 0) become(attempt, &ends);
  if (pid < 0) {
    number = errno;
    if (attempt->namespaces != 0) *step = step_namespaces;
    close_ends(&ends);
    return number;
  }
  close(ends.channel[1]);
  close(ends.talk[1]);
  close(ends.report[1]);
  ends.channel[1] = ends.talk[1] = ends.report[1] = -1;
  uint32_t held = 0;
  struct report said = {step_namespaces, EPERM, 0};
  if ((attempt->namespaces & stint_means_user_namespace) && map_users(attempt->plan, pid) != 0) {
    number = errno;
    *step = step_namespaces;
    goto failed;
  }
  if (attempt->plan->cgroup >= 0 && enter_cgroup(attempt->plan->cgroup, pid) == 0) held |= stint_means_cgroup;
  if (send(ends.report[0], &held, sizeof held, MSG_NOSIGNAL) != sizeof held
      || listen_to(ends.report[0], &said, &listener) != 0) {
    *step = said.step;
    number = said.number;
    child->held = said.held;
    goto failed;
  }
  ending = (int)syscall(SYS_pidfd_open, pid, 0);
  if (ending < 0) {
    number = errno;
    goto failed;
  }
  close(ends.report[0]);
  fcntl(ending, F_SETFD, FD_CLOEXEC);
  fcntl(ends.channel[0], F_SETFL, O_NONBLOCK);
  fcntl(ends.talk[0], F_SETFL, O_NONBLOCK);
  *child = (struct stint_child){pid, ending, ends.channel[0], ends.talk[0], listener, said.held};
  return 0;

failed:
  kill(pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  if (listener >= 0) close(listener);
  close_ends(&ends);
  return number;
}

static uint32_t permissions(const struct stint_child_plan *plan) {
  return (plan->network ? may_use_network : 0) | (plan->writes ? may_write : 0)
    | (plan->starts ? may_start_processes : 0) | (plan->controls ? may_control_devices : 0);
}

static void build_filters(struct attempt *attempt) {
  const struct stint_child_plan *plan = attempt->plan;
  if (plan->without & stint_means_call_filter) return;
  uint32_t granted = permissions(plan);
  if (attempt->namespaces & stint_means_mount_namespace) granted |= may_change_folder;
  uint32_t watching = granted | (plan->watches > 0 ? may_watch_files : 0);
  attempt->filter = stint_build_call_filter(granted, plan->own_filter);
  attempt->watching_filter = stint_build_call_filter(watching, plan->own_filter);
}

int stint_child_start(const struct stint_child_plan *plan, struct stint_child *child, int32_t *step) {
  uint32_t wanted = process_means | (plan->network ? 0 : stint_means_network_namespace);
  // Any user may make a user namespace. Without a user namespace, only root may make the other namespaces.
  // Attempts with the plan's user come first, because a process of the daemon's own user is less contained.
  const struct {
    uint32_t namespaces;
    int has_own_user;
  } choices[] = {
    {wanted | stint_means_user_namespace, 1}, {wanted, 1}, {wanted | stint_means_user_namespace, 0},
    {wanted, 0}, {0, 0},
  };
  struct stint_child_plan changed = *plan;
  struct attempt attempt = {&changed, {NULL, 0}, {NULL, 0}, 0};
  int number = 0;
  for (size_t place = 0; place < sizeof choices / sizeof choices[0]; place++) {
    if (choices[place].has_own_user && plan->user == 0) continue;
    attempt.namespaces = choices[place].namespaces & ~plan->without;
    build_filters(&attempt);
    // Without a private root, another user might have no access to the allowed paths.
    int is_private = attempt.namespaces & stint_means_mount_namespace;
    changed.user = choices[place].has_own_user && is_private ? plan->user : 0;
    number = try_start(&attempt, child, step);
    if (number == 0 || *step != step_namespaces) return number;
  }
  return number;
}

#endif
