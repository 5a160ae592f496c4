#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "containment.h"
#include "stint_process.h"

#include <errno.h>
#include <time.h>

int64_t stint_steady_clock(void) {
  struct timespec now;
#if defined(CLOCK_BOOTTIME)
  clock_gettime(CLOCK_BOOTTIME, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#if defined(__linux__)

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/// What the child has open: its standard input, output and error, the channel, a ring, and the way to tell that it failed.
enum { channel_place = 3, ring_place = 4, report_place = 7, above_all = 16 };

struct report {
  int32_t step;
  int32_t number;
};

static void fail(int report, int step) {
  struct report failure = {step, errno};
  ssize_t ignored = write(report, &failure, sizeof failure);
  (void)ignored;
  _exit(127);
}

static void limit(int report, int resource, uint64_t most) {
  struct rlimit bound = {most, most};
  if (setrlimit(resource, &bound) != 0) fail(report, 1);
}

static void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  long most = sysconf(_SC_OPEN_MAX);
  for (int place = first; place < (most > 0 ? most : 1024); place++) close(place);
}

/// The child, between fork and its program: only calls that are safe there.
static void become(const struct stint_child_plan *plan, const struct stint_call_filter *filter, pid_t parent,
                   int channel, int talk, int report) {
  // First out of the way of the places that they are to have.
  channel = fcntl(channel, F_DUPFD_CLOEXEC, above_all);
  talk = fcntl(talk, F_DUPFD_CLOEXEC, above_all);
  int away = fcntl(report, F_DUPFD_CLOEXEC, above_all);
  if (away < 0) _exit(127);
  report = away;
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (channel < 0 || talk < 0 || nothing < 0) fail(report, 1);
  int ring[3];
  for (int place = 0; place < 3; place++) {
    ring[place] = plan->ring[place] < 0 ? -1 : fcntl(plan->ring[place], F_DUPFD_CLOEXEC, above_all);
    if (plan->ring[place] >= 0 && ring[place] < 0) fail(report, 1);
  }
  if (dup2(nothing, 0) < 0 || dup2(talk, 1) < 0 || dup2(talk, 2) < 0) fail(report, 1);
  if (dup2(channel, channel_place) < 0 || dup3(report, report_place, O_CLOEXEC) < 0) fail(report, 1);
  for (int place = 0; place < 3; place++) {
    if (ring[place] < 0) close(ring_place + place);
    else if (dup2(ring[place], ring_place + place) < 0) fail(report_place, 1);
  }
  report = report_place;
  close_from(report_place + 1);

  setpgid(0, 0);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(report, 1);
  if (getppid() != parent) _exit(127);
  limit(report, RLIMIT_CORE, 0);
  if (plan->descriptors > 0) limit(report, RLIMIT_NOFILE, plan->descriptors);
  if (plan->memory > 0) limit(report, RLIMIT_AS, plan->memory);
  if (chdir(plan->folder) != 0) fail(report, 1);
  if (stint_contain(plan, filter) != 0) fail(report, 3);
  execve(plan->path, plan->arguments, plan->environment);
  fail(report, 2);
}

static void close_pair(const int pair[2]) {
  if (pair[0] >= 0) close(pair[0]);
  if (pair[1] >= 0) close(pair[1]);
}

int stint_child_start(const struct stint_child_plan *plan, struct stint_child *child, int32_t *step) {
  int channel[2] = {-1, -1}, talk[2] = {-1, -1}, report[2] = {-1, -1};
  int number = 0, ending = -1;
  pid_t pid = -1;
  *step = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0 || pipe2(talk, O_CLOEXEC) != 0
      || pipe2(report, O_CLOEXEC) != 0) {
    number = errno;
    goto failed;
  }
  struct stint_call_filter filter = {NULL, 0};
  if (!plan->own_filter) filter = stint_build_call_filter(plan->network);
  pid_t parent = getpid();
  pid = fork();
  if (pid < 0) {
    number = errno;
    goto failed;
  }
  if (pid == 0) become(plan, &filter, parent, channel[1], talk[1], report[1]);
  // Both sides do it, so that it is done whoever comes first.
  setpgid(pid, pid);
  close(channel[1]);
  close(talk[1]);
  close(report[1]);
  channel[1] = talk[1] = report[1] = -1;
  struct report failure = {0, 0};
  ssize_t count;
  do count = read(report[0], &failure, sizeof failure);
  while (count < 0 && errno == EINTR);
  if (count != 0) {
    *step = count == sizeof failure ? failure.step : 1;
    number = count == sizeof failure ? failure.number : EPIPE;
    goto failed;
  }
  ending = (int)syscall(SYS_pidfd_open, pid, 0);
  if (ending < 0) {
    number = errno;
    goto failed;
  }
  close(report[0]);
  fcntl(ending, F_SETFD, FD_CLOEXEC);
  fcntl(channel[0], F_SETFL, O_NONBLOCK);
  fcntl(talk[0], F_SETFL, O_NONBLOCK);
  *child = (struct stint_child){pid, ending, channel[0], talk[0]};
  return 0;

failed:
  if (pid > 0) {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  }
  close_pair(channel);
  close_pair(talk);
  close_pair(report);
  return number;
}

void stint_child_kill(int32_t pid) {
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
}

int stint_child_reap(int32_t pid, int32_t *status, int32_t *number) {
  int word = 0;
  pid_t found;
  do found = waitpid(pid, &word, WNOHANG);
  while (found < 0 && errno == EINTR);
  if (found != pid) return 0;
  *status = WIFEXITED(word) ? WEXITSTATUS(word) : 0;
  *number = WIFSIGNALED(word) ? WTERMSIG(word) : 0;
  return 1;
}

int64_t stint_child_send(int32_t channel, const void *bytes, uint64_t count) {
  ssize_t sent;
  do sent = send(channel, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

#else

int stint_child_start(const struct stint_child_plan *plan, struct stint_child *child, int32_t *step) {
  (void)plan;
  (void)child;
  *step = 0;
  return ENOSYS;
}

void stint_child_kill(int32_t pid) { (void)pid; }

int stint_child_reap(int32_t pid, int32_t *status, int32_t *number) {
  (void)pid;
  (void)status;
  (void)number;
  return 0;
}

int64_t stint_child_send(int32_t channel, const void *bytes, uint64_t count) {
  (void)channel;
  (void)bytes;
  (void)count;
  return -ENOSYS;
}

#endif
