#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CallFilter.h"
#include "stint_process.h"

#include <errno.h>
#include <stddef.h>

#if defined(__linux__)

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define OUR_ARCHITECTURE 0
#endif

#ifndef SECCOMP_FILTER_FLAG_NEW_LISTENER
#define SECCOMP_FILTER_FLAG_NEW_LISTENER (1UL << 3)
#endif
#ifndef SECCOMP_RET_USER_NOTIF
#define SECCOMP_RET_USER_NOTIF 0x7fc00000U
#endif

enum { other_convention = 0x40000000, most_lines = 4096, refusal = SECCOMP_RET_ERRNO | EPERM };

/// A placeholder for the action on a new thread. `stint_install_call_filter` replaces it by the final action.
enum { thread_action = SECCOMP_RET_TRACE | thread_mark };

/// Appends instructions to a filter.
struct writer {
  struct sock_filter lines[most_lines];
  uint32_t count;
};

static void line(struct writer *writer, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
  if (writer->count < most_lines)
    writer->lines[writer->count] = (struct sock_filter)BPF_JUMP(code, value, if_true, if_false);
  writer->count++;
}

static void load(struct writer *writer, size_t place) {
  line(writer, BPF_LD | BPF_W | BPF_ABS, (uint32_t)place, 0, 0);
}

static void answer(struct writer *writer, uint32_t action) { line(writer, BPF_RET | BPF_K, action, 0, 0); }

/// Skips `lines` instructions when the loaded word is not the value.
static void unless_equal(struct writer *writer, uint32_t value, uint8_t lines) {
  line(writer, BPF_JMP | BPF_JEQ | BPF_K, value, 0, lines);
}

static void write_call(struct writer *writer, const struct stint_call *call, uint32_t permissions) {
  struct stint_condition conditions[most_conditions];
  uint32_t number = (uint32_t)call->number;
  if (call->rule == absent_call || stint_call_is_allowed(call, permissions)) {
    unless_equal(writer, number, 1);
    answer(writer, call->rule == absent_call ? SECCOMP_RET_ERRNO | ENOSYS : SECCOMP_RET_ALLOW);
    return;
  }
  uint32_t count = stint_call_conditions(call, permissions, conditions);
  for (uint32_t place = 0; place < count; place++) {
    const struct stint_condition *condition = &conditions[place];
    load(writer, offsetof(struct seccomp_data, nr));
    unless_equal(writer, number, 4);
    // Loads the lower half of the argument. This half comes first, because both processors of the table are
    // little-endian machines.
    load(writer, offsetof(struct seccomp_data, args) + 8 * condition->argument);
    line(writer, BPF_ALU | BPF_AND | BPF_K, condition->mask, 0, 0);
    unless_equal(writer, condition->value, 1);
    answer(writer, call->rule == threads_only ? thread_action : SECCOMP_RET_ALLOW);
  }
  if (count > 0) load(writer, offsetof(struct seccomp_data, nr));
}

/// Writes the beginning that the filter of libseccomp and the filter of this module have in common. This
/// beginning denies calls of other calling conventions. Calls with numbers above the table fail with ENOSYS.
static void write_beginning(struct writer *writer) {
  load(writer, offsetof(struct seccomp_data, arch));
  line(writer, BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0);
  answer(writer, refusal);
  load(writer, offsetof(struct seccomp_data, nr));
  line(writer, BPF_JMP | BPF_JGE | BPF_K, other_convention, 0, 1);
  answer(writer, refusal);
  line(writer, BPF_JMP | BPF_JGT | BPF_K, highest_known_call, 0, 1);
  answer(writer, SECCOMP_RET_ERRNO | ENOSYS);
}

static struct stint_call_filter kept(const struct writer *writer) {
  size_t size = writer->count * sizeof writer->lines[0];
  void *lines = writer->count <= most_lines ? malloc(size) : NULL;
  if (lines == NULL) return (struct stint_call_filter){NULL, 0};
  memcpy(lines, writer->lines, size);
  return (struct stint_call_filter){lines, writer->count};
}

static struct stint_call_filter build(uint32_t permissions, int32_t own) {
  struct writer writer = {.count = 0};
  write_beginning(&writer);
  struct stint_call_filter made = {NULL, 0};
  if (!own) made = stint_library_filter(permissions);
  if (made.lines != NULL && writer.count + made.count <= most_lines) {
    memcpy(writer.lines + writer.count, made.lines, made.count * sizeof(struct sock_filter));
    writer.count += made.count;
    free(made.lines);
    return kept(&writer);
  }
  free(made.lines);
  uint32_t count;
  const struct stint_call *calls = stint_calls(&count);
  for (uint32_t place = 0; place < count; place++) write_call(&writer, &calls[place], permissions);
  answer(&writer, refusal);
  return kept(&writer);
}

static struct stint_call_filter built[2][every_permission + 1];
static pthread_mutex_t building = PTHREAD_MUTEX_INITIALIZER;

struct stint_call_filter stint_build_call_filter(uint32_t permissions, int32_t own) {
  if (!stint_has_call_filter()) return (struct stint_call_filter){NULL, 0};
  pthread_mutex_lock(&building);
  struct stint_call_filter *place = &built[own != 0][permissions & every_permission];
  if (place->lines == NULL) *place = build(permissions & every_permission, own);
  struct stint_call_filter result = *place;
  pthread_mutex_unlock(&building);
  return result;
}

int32_t stint_has_call_filter(void) {
  return OUR_ARCHITECTURE != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

/// Replaces one action by another action. Also replaces the marker of the process id by the process id.
static void change(struct stint_call_filter filter, uint32_t from, uint32_t to, uint32_t process) {
  struct sock_filter *lines = filter.lines;
  for (uint32_t place = 0; place < filter.count; place++) {
    uint16_t kind = BPF_CLASS(lines[place].code);
    if (kind == BPF_RET && lines[place].k == from) lines[place].k = to;
    if (kind == BPF_JMP && lines[place].k == own_process_mark) lines[place].k = process;
  }
}

int stint_install_call_filter(struct stint_call_filter filter, int counts_threads, int *listener) {
  *listener = -1;
  uint32_t process = (uint32_t)getpid();
  struct sock_fprog program = {(unsigned short)filter.count, filter.lines};
  // A denied call blocks until the parent has counted it and answers with the error.
  change(filter, refusal, SECCOMP_RET_USER_NOTIF, process);
  uint32_t counted = SECCOMP_RET_USER_NOTIF | thread_mark;
  change(filter, thread_action, counts_threads ? counted : SECCOMP_RET_ALLOW, process);
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (result >= 0) {
    *listener = (int)result;
    return 0;
  }
  change(filter, SECCOMP_RET_USER_NOTIF, refusal, process);
  change(filter, counted, SECCOMP_RET_ALLOW, process);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

int32_t stint_has_call_filter(void) { return 0; }

struct stint_call_filter stint_build_call_filter(uint32_t permissions, int32_t own) {
  (void)permissions;
  (void)own;
  return (struct stint_call_filter){NULL, 0};
}

#endif
