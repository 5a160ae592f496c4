#ifndef STINT_PROCESS_H
#define STINT_PROCESS_H

#include <stdint.h>

/// The containment mechanisms; bits. `stint_child_start` returns the active mechanisms in `held` of the
/// child.
enum {
  stint_means_user_namespace = 1 << 0,
  stint_means_mount_namespace = 1 << 1,
  stint_means_process_namespace = 1 << 2,
  stint_means_ipc_namespace = 1 << 3,
  stint_means_network_namespace = 1 << 4,
  /// The process runs as a separate user, not as the user of the daemon.
  stint_means_own_user = 1 << 5,
  stint_means_landlock = 1 << 6,
  stint_means_call_filter = 1 << 7,
  /// The host receives a notification of each denied call.
  stint_means_call_notice = 1 << 8,
  stint_means_process_limit = 1 << 9,
  stint_means_cgroup = 1 << 10,
};

/// The access to a path; bits.
enum {
  /// The path is visible to the process.
  stint_path_visible = 1,
  stint_path_readable = 2,
  stint_path_writable = 4,
};

/// A file, or a folder with its contents, that a process may access.
struct stint_path {
  const char *path;
  int32_t access;
};

/// A file with the contents that a process sees, independent of later changes on disk.
struct stint_sealed_file {
  const char *path;
  const uint8_t *bytes;
  uint64_t count;
  int32_t is_program;
};

/// The options of a start. Of the caller's descriptors, the child inherits only `ring`.
struct stint_child_plan {
  const char *path;
  /// The arguments and the environment; both arrays end with a null pointer.
  char *const *arguments;
  char *const *environment;
  /// The working folder.
  const char *folder;
  /// The maximum of mapped memory, in bytes; 0 for no limit.
  uint64_t memory;
  /// The maximum number of open descriptors; 0 for no limit.
  uint64_t descriptors;
  /// The maximum number of processes and threads; 0 for no limit.
  uint64_t processes;
  /// The accessible paths, each folder before its contents; ends with a null path.
  const struct stint_path *paths;
  /// The folders that contain only sealed files; ends with a null pointer. Empty when no file is sealed.
  const char *const *sealed_folders;
  const struct stint_sealed_file *sealed_files;
  uint32_t sealed_count;
  /// Whether the process may use sockets, write a file, start processes, control a device.
  int32_t network;
  int32_t writes;
  int32_t starts;
  int32_t controls;
  /// The maximum number of file watches, for a process that may read granted paths; 0 for no watches.
  uint32_t watches;
  /// The maximum number of POSIX timers and waiting signals; 0 for no limit.
  uint64_t timers;
  /// The user id and group id of the process when the caller is root; 0 to keep the caller's ids.
  uint32_t user;
  /// Supplementary groups of that user.
  const uint32_t *groups;
  uint32_t group_count;
  /// The descriptor of `cgroup.procs` of the child's cgroup; -1 for no cgroup.
  int32_t cgroup;
  /// The descriptors of a ring, which the child inherits as 4, 5 and 6; all -1 for no ring.
  int32_t ring[3];
  /// The mechanisms that must be active, and the mechanisms that must not be used; bits.
  uint32_t required;
  uint32_t without;
  /// Whether the filter of system calls is built without libseccomp even when that library is installed.
  int32_t own_filter;
};

/// A started process with the parent's ends of its descriptors. `channel` and `talk` are non-blocking.
struct stint_child {
  int32_t pid;
  /// A descriptor of the process, which is readable once the process has ended.
  int32_t ending;
  /// The channel for frames; the child has the other end as descriptor 3.
  int32_t channel;
  /// The child's standard output and standard error.
  int32_t talk;
  /// A descriptor that is readable while a denied call, or a call for a new thread, waits for an answer. The
  /// value is -1 when the kernel does not report these calls.
  int32_t attempts;
  /// The active mechanisms; bits.
  uint32_t held;
};

/// The steps of a start that can fail.
enum {
  stint_step_before = 0,
  stint_step_preparing = 1,
  stint_step_program = 2,
  stint_step_containing = 3,
  /// Required mechanisms are missing; the error number contains their bits.
  stint_step_means = 4,
};

/// Starts a process with its limits and with all containment mechanisms that this system supports. The system
/// kills the process when the calling thread ends. Returns 0, or the errno with the failed step in `step`.
/// When the failed step is `stint_step_program`, `held` of the child is set as well.
int stint_child_start(const struct stint_child_plan *plan, struct stint_child *child, int32_t *step);

/// Kills a process and every process of its group.
void stint_child_kill(int32_t pid);

/// Collects the exit status of a process that has ended. Returns 1 when the process has ended; then `status`
/// is its exit status and `signal` the signal that ended it, or 0 when no signal ended it. Returns 0 while
/// the process runs, or when it is not a child of the caller.
int stint_child_reap(int32_t pid, int32_t *status, int32_t *signal);

/// Sends without blocking, and without a signal when the channel is closed. Returns the number of bytes, or
/// the negative errno.
int64_t stint_child_send(int32_t channel, const void *bytes, uint64_t count);

/// The descriptor of the channel in the child.
enum { stint_channel = 3 };

/// Answers the next denied call of `attempts` with EPERM, so that the process continues. Returns 1 and sets
/// `number` to the number of the call, or to -1 for a call of a different processor architecture. Returns 0
/// when no call waits. Does not block. Also answers the calls for new threads that wait before the denied
/// call. A call for a new thread is allowed while its process has fewer than `most_threads` threads, and
/// otherwise fails with EAGAIN.
int stint_child_attempt(int32_t attempts, uint64_t most_threads, int32_t *number);

/// Returns the name of a system call of this processor; null when the table does not have it.
const char *stint_call_name(int32_t number);

/// Returns the kernel's version of Landlock, which restricts file access; 0 without Landlock.
int32_t stint_landlock_version(void);

/// Whether the kernel can filter system calls of a process on this processor.
int32_t stint_has_call_filter(void);

/// Returns the version of the installed libseccomp, which builds the filter of system calls; for example
/// 20504 for 2.5.4. Returns 0 when libseccomp is missing; this module then builds the filter.
int32_t stint_filter_library(void);

/// Makes an empty file in memory, which exists only as long as it is open or mapped. Returns its descriptor,
/// or -1 with errno set when the system cannot create the file.
int32_t stint_memory_file(void);

/// Whether the service manager has delegated the cgroup with this folder.
int32_t stint_is_delegated(const char *cgroup);

/// Returns the steady clock's reading in nanoseconds; it includes the time in which the machine is suspended.
int64_t stint_steady_clock(void);

#endif
