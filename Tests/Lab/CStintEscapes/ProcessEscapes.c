#if defined(__linux__)
#define _GNU_SOURCE

#include "EscapeAttempts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef const struct stint_escape_target target;

#define ATTEMPT(name, expression) \
  static int name(target *it) { \
    (void)it; \
    return STINT_WORKED(expression); \
  }

static int limit_of(int process, int resource, rlim_t most) {
  struct rlimit bound = {most, most};
  return STINT_WORKED(syscall(SYS_prlimit64, process, resource, &bound, NULL));
}

// Each of these limits is generous, so that a daemon keeps working if the attempt succeeds.
static int limit_descriptors(target *it) { return limit_of(it->process, RLIMIT_NOFILE, 1000); }
static int limit_time(target *it) { return limit_of(it->process, RLIMIT_CPU, 1000000); }
static int limit_files(target *it) { return limit_of(it->process, RLIMIT_FSIZE, (rlim_t)1 << 40); }
static int raise_own_limit(target *it) { return (void)it, limit_of(0, RLIMIT_NOFILE, 100000); }

static int own_daemon(target *it, int command) {
  int ends[2];
  if (pipe(ends) != 0) return errno;
  struct f_owner_ex owner = {F_OWNER_PID, it->process};
  int result = command == F_SETOWN_EX ? fcntl(ends[0], command, &owner)
    : fcntl(ends[0], command, command == F_SETSIG ? SIGWINCH : it->process);
  int number = result == -1 ? errno : 0;
  close(ends[0]);
  close(ends[1]);
  return number;
}

static int set_owner(target *it) { return own_daemon(it, F_SETOWN); }
static int set_owner_of_kind(target *it) { return own_daemon(it, F_SETOWN_EX); }
static int set_signal(target *it) { return own_daemon(it, F_SETSIG); }

static int affinity(target *it) {
  unsigned long mask = 1;
  return STINT_WORKED(syscall(SYS_sched_setaffinity, it->process, sizeof mask, &mask));
}

static int idle_policy(target *it) {
  struct sched_param none = {0};
  return STINT_WORKED(syscall(SYS_sched_setscheduler, it->process, SCHED_IDLE, &none));
}

static int idle_policy_by_attributes(target *it) {
  uint32_t attributes[12] = {48, SCHED_IDLE};
  return STINT_WORKED(syscall(SYS_sched_setattr, it->process, attributes, 0));
}

static int read_memory(target *it) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)&limit_of, 1};
  return STINT_REACHED(syscall(SYS_process_vm_readv, it->process, &here, 1UL, &there, 1UL, 0UL));
}

static int write_memory(target *it) {
  struct iovec none = {NULL, 0};
  return STINT_REACHED(syscall(SYS_process_vm_writev, it->process, &none, 1UL, &none, 1UL, 0UL));
}

static int open_of(target *it, const char *name, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", it->process, name);
  int file = open(path, flags | O_CLOEXEC);
  if (file < 0) return errno;
  close(file);
  return 0;
}

static int open_memory(target *it) { return open_of(it, "mem", O_RDWR); }
static int open_environment(target *it) { return open_of(it, "environ", O_RDONLY); }
static int open_descriptors(target *it) { return open_of(it, "fd", O_RDONLY | O_DIRECTORY); }
static int open_scores(target *it) { return open_of(it, "oom_score_adj", O_WRONLY); }

static int queue_signal(target *it) {
  siginfo_t info = {.si_signo = SIGWINCH, .si_code = SI_QUEUE};
  return STINT_WORKED(syscall(SYS_rt_sigqueueinfo, it->process, SIGWINCH, &info));
}

/// Returns the result of an attempt to start a process, and ends that process again.
static int started(long pid) {
  if (pid == 0) _exit(0);
  if (pid < 0) return errno;
  waitpid((pid_t)pid, NULL, __WALL);
  return 0;
}

static int start_process(target *it) { return (void)it, started(fork()); }
static int start_by_clone(target *it) {
  return (void)it, started(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0));
}
static int start_sibling(target *it) {
  return (void)it, started(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, 0));
}
static int start_in_namespace(target *it) {
  return (void)it, started(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0));
}
static int start_in_new_way(target *it) {
  (void)it;
  uint64_t arguments[11] = {0, 0, 0, 0, SIGCHLD};
  return started(syscall(435, arguments, sizeof arguments));
}

static void *wait_for_end(void *place) {
  pthread_mutex_lock(place);
  pthread_mutex_unlock(place);
  return NULL;
}

static int many_threads(target *it) {
  (void)it;
  enum { many = 1000 };
  static pthread_t threads[many];
  static pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_mutex_lock(&end);
  int count = 0, number = 0;
  for (; count < many && number == 0; count++)
    number = pthread_create(&threads[count], &attributes, wait_for_end, &end);
  if (number != 0) count--;
  pthread_mutex_unlock(&end);
  for (int place = 0; place < count; place++) pthread_join(threads[place], NULL);
  return number;
}

static int much_memory(target *it) {
  (void)it;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *place = mmap(NULL, (size_t)4 << 30, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (place == MAP_FAILED) return errno;
  munmap(place, (size_t)4 << 30);
  return 0;
}

static int many_descriptors(target *it) {
  (void)it;
  int files[256], count = 0, number = 0;
  for (; count < 256 && number == 0; count++)
    if ((files[count] = dup(0)) < 0) number = errno;
  if (number != 0) count--;
  for (int place = 0; place < count; place++) close(files[place]);
  return number;
}

ATTEMPT(lower_priority, setpriority(PRIO_PROCESS, (id_t)it->process, 19))
ATTEMPT(lower_group_priority, setpriority(PRIO_PGRP, (id_t)it->process, 19))
ATTEMPT(idle_input, syscall(SYS_ioprio_set, 1, it->process, 3 << 13))
ATTEMPT(signal_daemon, kill(it->process, SIGWINCH))
ATTEMPT(signal_group, kill(-it->process, SIGWINCH))
ATTEMPT(signal_all, kill(-1, 0))
ATTEMPT(signal_thread, syscall(SYS_tgkill, it->process, it->process, SIGWINCH))
ATTEMPT(signal_any_thread, syscall(SYS_tkill, it->process, SIGWINCH))
ATTEMPT(handle_of_daemon, syscall(434, it->process, 0))
ATTEMPT(signal_by_handle, syscall(424, it->process, SIGWINCH, NULL, 0))
ATTEMPT(trace_daemon, ptrace(PTRACE_SEIZE, it->process, 0, 0))
ATTEMPT(traced_by_parent, ptrace(PTRACE_TRACEME, 0, 0, 0))
ATTEMPT(compare, syscall(SYS_kcmp, it->process, it->process, 1, 0, 0))
ATTEMPT(migrate, syscall(SYS_migrate_pages, it->process, 0UL, NULL, NULL))
ATTEMPT(move, syscall(SYS_move_pages, it->process, 0UL, NULL, NULL, NULL, 0))
ATTEMPT(leave_session, setsid())
ATTEMPT(leave_group, setpgid(0, 0))
ATTEMPT(outlive, prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0))
ATTEMPT(adopt, prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
ATTEMPT(allow_tracing, prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0))
ATTEMPT(lock_all, mlockall(MCL_FUTURE))

const struct stint_escape stint_process_escapes[] = {
  {"limit the daemon's descriptors", limit_descriptors},
  {"limit the daemon's processor time", limit_time},
  {"limit the daemon's files", limit_files},
  {"raise its own limit", raise_own_limit},
  {"lower the daemon's priority", lower_priority},
  {"lower the priority of the daemon's group", lower_group_priority},
  {"bind the daemon to a processor", affinity},
  {"run the daemon only when idle", idle_policy},
  {"run the daemon only when idle, by attributes", idle_policy_by_attributes},
  {"lower the priority of the daemon's input and output", idle_input},
  {"signal the daemon", signal_daemon},
  {"signal the daemon's group", signal_group},
  {"signal every process", signal_all},
  {"signal a thread of the daemon", signal_thread},
  {"signal a thread by its number", signal_any_thread},
  {"queue a signal for the daemon", queue_signal},
  {"get a handle of the daemon", handle_of_daemon},
  {"signal by a handle", signal_by_handle},
  {"make a pipe signal the daemon", set_owner},
  {"make a pipe signal the daemon, by F_SETOWN_EX", set_owner_of_kind},
  {"choose the signal of a pipe", set_signal},
  {"trace the daemon", trace_daemon},
  {"be traced by the daemon", traced_by_parent},
  {"allow every process to trace it", allow_tracing},
  {"read the daemon's memory", read_memory},
  {"write the daemon's memory", write_memory},
  {"open the daemon's memory", open_memory},
  {"open the daemon's environment", open_environment},
  {"list the daemon's descriptors", open_descriptors},
  {"change the daemon's out-of-memory score", open_scores},
  {"compare itself with the daemon", compare},
  {"migrate the daemon's memory", migrate},
  {"move the daemon's memory", move},
  {"start a process", start_process},
  {"start a process by clone", start_by_clone},
  {"start a child of the daemon", start_sibling},
  {"start a process in a new user namespace", start_in_namespace},
  {"start a process by clone3", start_in_new_way},
  {"start a thousand threads", many_threads},
  {"map 4 GiB of memory", much_memory},
  {"open 256 descriptors", many_descriptors},
  {"lock its memory", lock_all},
  {"leave its session", leave_session},
  {"leave its group", leave_group},
  {"outlive the daemon", outlive},
  {"adopt processes", adopt},
  {NULL, NULL},
};

#endif
