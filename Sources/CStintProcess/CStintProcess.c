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

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sys/xattr.h>

int32_t stint_is_delegated(const char *cgroup) {
  return getxattr(cgroup, "user.delegate", NULL, 0) > 0 || getxattr(cgroup, "trusted.delegate", NULL, 0) > 0;
}

int32_t stint_memory_file(void) { return memfd_create("stint-sealed", MFD_CLOEXEC); }

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

int32_t stint_is_delegated(const char *cgroup) {
  (void)cgroup;
  return 0;
}

int stint_child_start(const struct stint_child_plan *plan, struct stint_child *child, int32_t *step) {
  (void)plan;
  (void)child;
  *step = 0;
  return ENOSYS;
}

int32_t stint_memory_file(void) {
  errno = ENOSYS;
  return -1;
}

void stint_child_kill(int32_t pid) { (void)pid; }

int stint_child_reap(int32_t pid, int32_t *status, int32_t *number) {
  (void)pid;
  (void)status;
  (void)number;
  return 0;
}

int stint_child_attempt(int32_t attempts, uint64_t most_threads, int32_t *number) {
  (void)attempts;
  (void)most_threads;
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
