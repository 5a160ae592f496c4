#if defined(__linux__)
#define _GNU_SOURCE

#include "SystemCalls.h"
#include "stint_process.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE 0xc000003eU
#else
#define OUR_ARCHITECTURE 0xc00000b7U
#endif

enum { other_convention = 0x40000000, most_bytes = 512 };

#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

/// Returns whether the process of a thread may have one more thread. The link count of the folder `task` of a
/// process is 2 plus the number of threads.
static int has_room(uint32_t thread, uint64_t most_threads) {
  char path[48];
  struct stat status;
  snprintf(path, sizeof path, "/proc/%u/task", thread);
  return stat(path, &status) == 0 && status.st_nlink < 2 + most_threads;
}

/// Answers one waiting call. Returns 0 when no call waits, 2 when the call starts a thread (allowed or not),
/// and 1 for any other call, which is denied.
static int answer_one(int32_t attempts, uint64_t most_threads, int32_t *number) {
  // On older kernels the ioctl blocks forever when the process has ended, so poll is called first.
  struct pollfd waiting = {attempts, POLLIN, 0};
  if (poll(&waiting, 1, 0) != 1 || !(waiting.revents & POLLIN)) return 0;
  // The kernel's structs may be longer than those of the headers, and all their bytes must be zero.
  union {
    struct seccomp_notif notice;
    char bytes[most_bytes];
  } asked;
  union {
    struct seccomp_notif_resp answer;
    char bytes[most_bytes];
  } said;
  memset(&asked, 0, sizeof asked);
  memset(&said, 0, sizeof said);
  // The call fails when the process has ended meanwhile; then no answer is needed.
  if (ioctl(attempts, SECCOMP_IOCTL_NOTIF_RECV, &asked.notice) != 0) return 0;
  int32_t called = asked.notice.data.nr;
  *number = asked.notice.data.arch != OUR_ARCHITECTURE || called >= other_convention ? -1 : called;
  said.answer.id = asked.notice.id;
  int is_thread = *number == SYS_clone && stint_makes_thread(asked.notice.data.args[0]);
  if (!is_thread) said.answer.error = -EPERM;
  // The flags are in a register, so the process cannot change them after this decision.
  else if (has_room(asked.notice.pid, most_threads)) said.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  else said.answer.error = -EAGAIN;
  (void)ioctl(attempts, SECCOMP_IOCTL_NOTIF_SEND, &said.answer);
  return is_thread ? 2 : 1;
}

int stint_child_attempt(int32_t attempts, uint64_t most_threads, int32_t *number) {
  int result;
  do result = answer_one(attempts, most_threads, number);
  while (result == 2);
  return result;
}

#endif

#include "SystemCalls.h"
#include "stint_process.h"

#include <stddef.h>

const char *stint_call_name(int32_t number) {
  uint32_t count;
  const struct stint_call *calls = stint_calls(&count);
  for (uint32_t place = 0; place < count; place++)
    if (calls[place].number == number) return calls[place].name;
  return NULL;
}
