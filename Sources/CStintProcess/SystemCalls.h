#ifndef STINT_SYSTEM_CALLS_H
#define STINT_SYSTEM_CALLS_H

#include <stdint.h>

/// The rule for a call: the processes that may make it. Calls that are not in the table are denied.
enum stint_call_rule {
  refused_call,
  always_allowed,
  /// Allowed for a process that may write a file.
  for_writers,
  /// Allowed for a process that may use sockets.
  for_network,
  /// Allowed for a process that may start processes.
  for_starters,
  /// Fails with ENOSYS, because a filter cannot check its arguments, which are in memory; callers then try an
  /// older call.
  absent_call,
  /// Allowed with the arguments that `stint_call_conditions` returns. `own_process_only`, `reading_second`
  /// and `reading_third` allow all arguments for a process with certain permissions.
  threads_only,
  own_process_only,
  known_options,
  own_limits_only,
  known_commands,
  known_requests,
  reading_second,
  reading_third,
  known_families,
  /// Allowed for a process that may watch files, because its number of watches is limited.
  for_watchers,
  /// Allowed for a process with a private root folder.
  for_own_root,
  /// Allowed for a process that may use sockets. Other processes need the arguments that
  /// `stint_call_conditions` returns.
  stream_pairs_only,
  unaddressed_only,
};

/// A system call of this processor.
struct stint_call {
  const char *name;
  int32_t number;
  enum stint_call_rule rule;
};

/// The additional permissions of a process; bits.
enum stint_permission {
  may_use_network = 1,
  may_write = 2,
  may_start_processes = 4,
  may_control_devices = 8,
  may_watch_files = 16,
  /// The process sees only its own folders, so it may change to any of them.
  may_change_folder = 32,
  every_permission = 63,
};

/// A condition on one argument of a call; `argument` is the index of the argument. The call is allowed when
/// the lower 32 bits of the argument, combined with `mask` by AND, equal `value`.
struct stint_condition {
  uint32_t argument;
  uint32_t mask;
  uint32_t value;
};

enum {
  /// A marker for the process id. The id replaces the marker after the process has started.
  own_process_mark = 0x5317abcd,
  /// The highest number of the table; calls with higher numbers are newer.
  highest_known_call = 469,
  /// A marker in the lower bits of the action for a new thread. At installation, the filter gets the final
  /// action: new threads are allowed, or the parent counts them.
  thread_mark = 0x5317,
  most_conditions = 64,
};

/// Returns 1 for a call of `clone` with these flags that makes a thread of the calling process.
int stint_makes_thread(uint64_t flags);

/// Returns all calls of this processor in the table; `count` is set to their number.
const struct stint_call *stint_calls(uint32_t *count);

/// Returns 1 when a process with these permissions may make the call with any arguments. Returns 0 when the
/// call is denied, or allowed only with the arguments of `stint_call_conditions`.
int stint_call_is_allowed(const struct stint_call *call, uint32_t permissions);

/// Writes the conditions for the call; at least one of them must be true. Returns their number; 0 when the
/// call is never allowed.
uint32_t stint_call_conditions(const struct stint_call *call, uint32_t permissions,
                               struct stint_condition conditions[most_conditions]);

#endif
