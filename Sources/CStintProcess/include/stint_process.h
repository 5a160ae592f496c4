#ifndef STINT_PROCESS_H
#define STINT_PROCESS_H

#include <stdint.h>

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
  /// The files and folders that it may read and run, and those that it may also write; both end with a null pointer.
  const char *const *readable;
  const char *const *writable;
  /// Whether it may have sockets.
  int32_t network;
  /// The descriptors of a ring that it has as 4, 5 and 6; all -1 for none.
  int32_t ring[3];
  /// Whether the filter of system calls is to be our own even where libseccomp could build it.
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
};

/// Starts a process: in a group and with descriptors of its own, with no way to new privileges, under its limits, and
/// ended by the system when the calling thread ends. Returns 0, or the error number, with the step that failed in
/// `step`: 0 before the process was there, 1 in preparing it, 2 in starting its program.
int stint_child_start(const struct stint_child_plan *plan, struct stint_child *child, int32_t *step);

/// Ends a process and every process of its group at once.
void stint_child_kill(int32_t pid);

/// Asks for the end of a process: 1 when it has ended, with its exit status or the signal that ended it (0 for none);
/// 0 while it runs, or the process is none of ours.
int stint_child_reap(int32_t pid, int32_t *status, int32_t *signal);

/// Sends without waiting and without a signal when nobody reads: the number of bytes, or minus the error number.
int64_t stint_child_send(int32_t channel, const void *bytes, uint64_t count);

/// Which version of Landlock the kernel has, to close the file system to a process; 0 for none.
int32_t stint_landlock_version(void);

/// Whether the kernel can refuse system calls of a process on this processor.
int32_t stint_has_call_filter(void);

/// The version of libseccomp that is here and builds the filter of system calls, as 20504 for 2.5.4; 0 for none, and then
/// our own filter has to do.
int32_t stint_filter_library(void);

/// What the steady clock of the machine shows, which goes on while it is suspended, in nanoseconds.
int64_t stint_steady_clock(void);

#endif
