#ifndef STINT_PROCESS_H
#define STINT_PROCESS_H

#include <stdint.h>

/// The means of containment; bits. `stint_child_start` says which of them hold.
enum {
  stint_means_user_namespace = 1 << 0,
  stint_means_mount_namespace = 1 << 1,
  stint_means_process_namespace = 1 << 2,
  stint_means_ipc_namespace = 1 << 3,
  stint_means_network_namespace = 1 << 4,
  /// A user of its own, who is not the daemon's.
  stint_means_own_user = 1 << 5,
  stint_means_landlock = 1 << 6,
  stint_means_call_filter = 1 << 7,
  /// The host learns which calls were refused.
  stint_means_call_notice = 1 << 8,
  stint_means_process_limit = 1 << 9,
  stint_means_cgroup = 1 << 10,
};

/// How a process reaches a path; bits.
enum {
  /// The path is there for it.
  stint_path_visible = 1,
  stint_path_readable = 2,
  stint_path_writable = 4,
};

/// A file or a folder with all in it that a process may reach.
struct stint_path {
  const char *path;
  int32_t access;
};

/// A file that a process sees with these bytes, whatever the disk holds.
struct stint_sealed_file {
  const char *path;
  const uint8_t *bytes;
  uint64_t count;
  int32_t is_program;
};

/// What is to be started. Everything else that the caller has open stays closed to the child.
struct stint_child_plan {
  const char *path;
  /// Both end with a null pointer.
  char *const *arguments;
  char *const *environment;
  /// Where it runs.
  const char *folder;
  /// The most memory that it may map, in bytes; 0 for no bound.
  uint64_t memory;
  /// How many descriptors it may have open.
  uint64_t descriptors;
  /// How many processes and threads it may have; 0 for no bound.
  uint64_t processes;
  /// What it may reach, folders before what is in them; ends with a null path.
  const struct stint_path *paths;
  /// The folders that hold nothing but sealed files; ends with a null pointer. Empty where no file is sealed.
  const char *const *sealed_folders;
  const struct stint_sealed_file *sealed_files;
  uint32_t sealed_count;
  /// Whether it may have sockets, write a file, start processes, control a device.
  int32_t network;
  int32_t writes;
  int32_t starts;
  int32_t controls;
  /// The user and group that it runs as where the caller is root; 0 for the caller's.
  uint32_t user;
  /// Further groups of that user.
  const uint32_t *groups;
  uint32_t group_count;
  /// The descriptor of its cgroup's `cgroup.procs`; -1 for none.
  int32_t cgroup;
  /// The descriptors of a ring that it has as 4, 5 and 6; all -1 for none.
  int32_t ring[3];
  /// Means that must hold, and means that are left out though they could hold; bits.
  uint32_t required;
  uint32_t without;
  /// Whether the filter of system calls is made without libseccomp even where that is there.
  int32_t own_filter;
};

/// A process with the ends of its descriptors that are ours, none of which blocks.
struct stint_child {
  int32_t pid;
  /// Readable once the process has ended.
  int32_t ending;
  /// Where frames travel; the child has the other end as descriptor 3.
  int32_t channel;
  /// What the child prints.
  int32_t talk;
  /// Readable when the process was refused a call; -1 where the kernel does not tell.
  int32_t attempts;
  /// Which means hold; bits.
  uint32_t held;
};

/// The steps of a start that can fail.
enum {
  stint_step_before = 0,
  stint_step_preparing = 1,
  stint_step_program = 2,
  stint_step_containing = 3,
  /// Means that are required do not hold; the error number is their bits.
  stint_step_means = 4,
};

/// Starts a process: contained as far as this system can, under its limits, and ended by the system when the
/// calling thread ends. Returns 0, or the error number, with the step that failed in `step`. Where only the
/// program cannot be started, `held` of the child is set all the same.
int stint_child_start(const struct stint_child_plan *plan, struct stint_child *child, int32_t *step);

/// Ends a process and every process of its group at once.
void stint_child_kill(int32_t pid);

/// Asks for the end of a process: 1 when it has ended, with its exit status or the signal that ended it (0
/// for none); 0 while it runs, or the process is none of ours.
int stint_child_reap(int32_t pid, int32_t *status, int32_t *signal);

/// Sends without waiting and without a signal when the channel is closed: the number of bytes, or minus the error
/// number.
int64_t stint_child_send(int32_t channel, const void *bytes, uint64_t count);

/// The descriptor of the child's end of its channel.
enum { stint_channel = 3 };

/// How many attempts to escape `stint_run_escapes` makes.
int32_t stint_escape_count(void);

/// Attempts to escape from the calling process, one after the other, aimed at a daemon's process and at a
/// folder with the files `secret`, `journal` and `program`. Writes a line for each to the channel: the error
/// number with which it was refused, 0 where it got through, and its name. Returns 0, or 1 when the
/// channel is closed. To be called in a contained process.
int stint_run_escapes(int32_t process, const char *folder);

/// Takes the next refused call from `attempts`, and has the process go on with the refusal. Returns 1 with
/// the number of the call, which is -1 for a call of another processor; 0 when there is none. Never waits.
int stint_child_attempt(int32_t attempts, int32_t *number);

/// The name of a system call of this processor; null when it has none here.
const char *stint_call_name(int32_t number);

/// Which version of Landlock the kernel has, to close the file system to a process; 0 for none.
int32_t stint_landlock_version(void);

/// Whether the kernel can refuse system calls of a process on this processor.
int32_t stint_has_call_filter(void);

/// The version of libseccomp that is here and builds the filter of system calls, as 20504 for 2.5.4; 0 for
/// none, and then our own filter has to do.
int32_t stint_filter_library(void);

/// Whether the manager of services has handed the cgroup with this folder over.
int32_t stint_is_delegated(const char *cgroup);

/// What the steady clock of the machine shows, which goes on while it is suspended, in nanoseconds.
int64_t stint_steady_clock(void);

#endif
