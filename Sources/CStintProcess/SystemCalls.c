#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "SystemCalls.h"

#include <stddef.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <sys/syscall.h>

// The table gives calls from number 424 on by number, because headers may be older than the kernel. These
// numbers are equal on every processor.
#define NEWER(name, number) {#name, number, refused_call}
#define CALL(name, rule) {#name, SYS_##name, rule}
#define OK(name) {#name, SYS_##name, always_allowed}
#define NO(name) {#name, SYS_##name, refused_call}

/// The table of system calls, from which both libseccomp and this module build the filter.
static const struct stint_call calls[] = {
  // Memory of the process. Calls that affect memory of other processes, or memory that outlives the process,
  // are denied.
  OK(brk), OK(mmap), OK(munmap), OK(mremap), OK(mprotect), OK(madvise), OK(mincore), OK(msync), OK(mlock),
  OK(mlock2), OK(munlock), OK(membarrier), OK(pkey_alloc), OK(pkey_free), OK(pkey_mprotect), NO(mlockall),
  NO(munlockall), NO(memfd_create), NO(remap_file_pages), NO(userfaultfd), NO(shmget), NO(shmat), NO(shmctl),
  NO(shmdt), NO(msgget), NO(msgsnd), NO(msgrcv), NO(msgctl), NO(semget), NO(semop), NO(semctl),
  NO(semtimedop), NO(mq_open), NO(mq_unlink), NO(mq_timedsend), NO(mq_timedreceive), NO(mq_notify),
  NO(mq_getsetattr), NO(mbind), NO(set_mempolicy), NO(get_mempolicy), NO(migrate_pages), NO(move_pages),
  NEWER(process_madvise, 440), NEWER(process_mrelease, 448), NEWER(memfd_secret, 447),
  NEWER(set_mempolicy_home_node, 450), NEWER(map_shadow_stack, 453), {"mseal", 462, absent_call},

  // Descriptors.
  OK(read), OK(write), OK(readv), OK(writev), OK(pread64), OK(pwrite64), OK(preadv), OK(pwritev),
  OK(preadv2), OK(pwritev2), OK(lseek), OK(close), {"close_range", 436, always_allowed}, OK(dup), OK(dup3),
  OK(pipe2), OK(sendfile), OK(eventfd2), OK(epoll_create1), OK(epoll_ctl), OK(epoll_pwait), {"epoll_pwait2",
  441, always_allowed}, OK(ppoll), OK(pselect6), OK(signalfd4), OK(timerfd_create), OK(timerfd_settime),
  OK(timerfd_gettime), CALL(inotify_init1, for_watchers), CALL(inotify_add_watch, for_watchers),
  CALL(inotify_rm_watch, for_watchers), CALL(fcntl, known_commands), CALL(ioctl, known_requests),
  NO(splice), NO(tee), NO(vmsplice), NO(readahead), NO(fanotify_init), NO(fanotify_mark),
  NEWER(pidfd_getfd, 438),

  // Files: every process may read; writers may also change contents and names. Changes of owners, modes,
  // times and attributes are denied, because only the operator makes them.
  CALL(openat, reading_third), {"openat2", 437, absent_call}, OK(fstat), OK(newfstatat), OK(statx),
  OK(statfs), OK(fstatfs), OK(faccessat), {"faccessat2", 439, always_allowed}, OK(readlinkat),
  OK(getdents64), OK(getcwd), CALL(chdir, for_own_root), CALL(fchdir, for_own_root), OK(fadvise64),
  OK(umask), OK(getxattr), OK(lgetxattr), OK(fgetxattr), OK(listxattr), OK(llistxattr), OK(flistxattr),
  CALL(ftruncate, for_writers), CALL(fallocate, for_writers), CALL(fsync, for_writers),
  CALL(fdatasync, for_writers), CALL(sync_file_range, for_writers), CALL(copy_file_range, for_writers),
  CALL(flock, for_writers), CALL(mkdirat, for_writers), CALL(unlinkat, for_writers),
  CALL(renameat, for_writers), CALL(renameat2, for_writers), CALL(linkat, for_writers),
  CALL(symlinkat, for_writers), NO(truncate), NO(mknodat), NO(fchmod), NO(fchmodat), NO(fchown),
  NO(fchownat), NO(utimensat), NO(setxattr), NO(lsetxattr), NO(fsetxattr), NO(removexattr),
  NO(lremovexattr), NO(fremovexattr), NO(sync), NO(syncfs), NO(chroot), NO(name_to_handle_at),
  NO(open_by_handle_at), NEWER(cachestat, 451), NEWER(fchmodat2, 452), NEWER(setxattrat, 463),
  NEWER(getxattrat, 464), NEWER(listxattrat, 465), NEWER(removexattrat, 466), NEWER(file_getattr, 468),
  NEWER(file_setattr, 469), NO(quotactl), NEWER(quotactl_fd, 443),

  // Queries of the process about itself and about the time.
  OK(getpid), OK(getppid), OK(gettid), OK(getuid), OK(geteuid), OK(getgid), OK(getegid), OK(getresuid),
  OK(getresgid), OK(getgroups), OK(getpgid), OK(getsid), OK(capget), OK(uname), OK(sysinfo), OK(getcpu),
  OK(getrusage), OK(times), OK(getrlimit), OK(getpriority), OK(ioprio_get), OK(getrandom), OK(clock_gettime),
  OK(clock_getres), OK(gettimeofday), OK(nanosleep), OK(clock_nanosleep), OK(getitimer), OK(setitimer),
  OK(timer_create), OK(timer_settime), OK(timer_gettime), OK(timer_getoverrun), OK(timer_delete),
  NO(settimeofday), NO(clock_settime), NO(clock_adjtime), NO(adjtimex),

  // Threads, programs and signals of the process.
  CALL(clone, threads_only), {"clone3", 435, absent_call}, OK(execve), OK(execveat), OK(exit),
  OK(exit_group), OK(wait4), OK(waitid), OK(set_tid_address), OK(set_robust_list), OK(get_robust_list),
  OK(rseq), OK(futex), {"futex_waitv", 449, always_allowed}, {"futex_wake", 454, always_allowed},
  {"futex_wait", 455, always_allowed}, {"futex_requeue", 456, always_allowed}, OK(restart_syscall),
  OK(rt_sigaction), OK(rt_sigprocmask), OK(rt_sigreturn), OK(rt_sigsuspend), OK(rt_sigpending),
  OK(rt_sigtimedwait), OK(sigaltstack), CALL(kill, own_process_only), CALL(tgkill, own_process_only),
  NO(tkill), NO(rt_sigqueueinfo), NO(rt_tgsigqueueinfo), OK(sched_yield), OK(sched_getaffinity),
  OK(sched_getparam), OK(sched_getscheduler), OK(sched_getattr), OK(sched_get_priority_max),
  OK(sched_get_priority_min), OK(sched_rr_get_interval), NO(sched_setaffinity), NO(sched_setparam),
  NO(sched_setscheduler), NO(sched_setattr), NO(setpriority), NO(ioprio_set), CALL(prctl, known_options),
  CALL(prlimit64, own_limits_only), NO(setrlimit), NO(setpgid), NO(setsid), NO(ptrace), NO(process_vm_readv),
  NO(process_vm_writev), NO(kcmp), NEWER(pidfd_open, 434), NEWER(pidfd_send_signal, 424), NO(seccomp),
  NO(personality), NO(unshare), NO(setns), NO(capset), NO(setuid), NO(setgid), NO(setreuid), NO(setregid),
  NO(setresuid), NO(setresgid), NO(setfsuid), NO(setfsgid), NO(setgroups),

  // Sockets: the channel is a socket. A process may make connected pairs of stream sockets; all other new
  // sockets need network access.
  OK(recvfrom), OK(recvmsg), CALL(sendto, unaddressed_only), OK(sendmsg), OK(getsockopt), OK(setsockopt),
  OK(getsockname), OK(getpeername), OK(shutdown), CALL(socketpair, stream_pairs_only),
  CALL(socket, known_families), CALL(connect, for_network), CALL(bind, for_network),
  CALL(listen, for_network), CALL(accept, for_network), CALL(accept4, for_network),
  CALL(sendmmsg, for_network), CALL(recvmmsg, for_network),

  // Administration of the system.
  NO(mount), NO(umount2), NO(pivot_root), NO(swapon), NO(swapoff), NO(reboot), NO(sethostname),
  NO(setdomainname), NO(init_module), NO(finit_module), NO(delete_module), NO(kexec_load), NO(acct),
  NO(syslog), NO(vhangup), NO(bpf), NO(perf_event_open), NO(add_key), NO(request_key), NO(keyctl),
  NO(io_setup), NO(io_destroy), NO(io_submit), NO(io_cancel), NO(io_getevents), NEWER(io_uring_setup, 425),
  NEWER(io_uring_enter, 426), NEWER(io_uring_register, 427), NEWER(open_tree, 428), NEWER(move_mount, 429),
  NEWER(fsopen, 430), NEWER(fsconfig, 431), NEWER(fsmount, 432), NEWER(fspick, 433), NEWER(mount_setattr,
  442), NEWER(landlock_create_ruleset, 444), NEWER(landlock_add_rule, 445), NEWER(landlock_restrict_self,
  446), NEWER(statmount, 457), NEWER(listmount, 458), NEWER(lsm_get_self_attr, 459), NEWER(lsm_set_self_attr,
  460), NEWER(lsm_list_modules, 461), NEWER(open_tree_attr, 467),

#if defined(__x86_64__)
  // Older calls that exist only on this processor.
  OK(access), OK(alarm), OK(arch_prctl), OK(dup2), OK(epoll_create), OK(epoll_wait), OK(eventfd),
  OK(getdents), OK(getpgrp), CALL(inotify_init, for_watchers), OK(lstat), OK(pause), OK(pipe), OK(poll),
  OK(readlink), OK(select), OK(signalfd), OK(stat), OK(time), CALL(open, reading_second),
  CALL(creat, for_writers), CALL(link, for_writers), CALL(mkdir, for_writers), CALL(rename, for_writers),
  CALL(rmdir, for_writers), CALL(symlink, for_writers), CALL(unlink, for_writers),
  CALL(fork, for_starters), CALL(vfork, for_starters), NO(chmod), NO(chown), NO(lchown), NO(futimesat),
  NO(utime), NO(utimes), NO(mknod), NO(iopl), NO(ioperm), NO(modify_ldt), NO(set_thread_area),
  NO(kexec_file_load), NO(ustat), NO(uselib),
#endif
};

const struct stint_call *stint_calls(uint32_t *count) {
  *count = sizeof calls / sizeof calls[0];
  return calls;
}

#else

const struct stint_call *stint_calls(uint32_t *count) {
  *count = 0;
  return NULL;
}

#endif
