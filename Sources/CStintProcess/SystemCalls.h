#ifndef STINT_SYSTEM_CALLS_H
#define STINT_SYSTEM_CALLS_H

#include <stdint.h>

/// Which processes may make a call. Everything that has no rule here is refused.
enum stint_call_rule {
  refused_call,
  always_allowed,
  /// Allowed to a process that may write a file.
  for_writers,
  /// Allowed to a process that may have sockets.
  for_network,
  /// Allowed to a process that may start others.
  for_starters,
  /// Answered as a kernel without the call answers, because its arguments lie in memory; callers then try an
  /// older call.
  absent_call,
  /// Allowed with some arguments, which `stint_call_conditions` lists.
  threads_only,
  own_process_only,
  known_options,
  own_limits_only,
  known_commands,
  known_requests,
  reading_second,
  reading_third,
  known_families,
};

/// A system call of this processor.
struct stint_call {
  const char *name;
  int32_t number;
  enum stint_call_rule rule;
};

/// What a process may do beyond what every process may; bits.
enum stint_permission {
  may_use_network = 1,
  may_write = 2,
  may_start_processes = 4,
  may_control_devices = 8,
  every_permission = 15,
};

/// A call is allowed when `argument & mask` is `value`.
struct stint_condition {
  uint32_t argument;
  uint32_t mask;
  uint32_t value;
};

enum {
  /// In place of the number of the process, which is known only once it runs.
  own_process_mark = 0x5317abcd,
  /// The calls with higher numbers are newer than this table.
  highest_known_call = 469,
  most_conditions = 64,
};

/// Every call of this processor that is known by name; `count` says how many.
const struct stint_call *stint_calls(uint32_t *count);

/// Whether a process with these permissions may make the call, whatever its arguments: 1; 0 when it may not,
/// or only with the arguments of `stint_call_conditions`.
int stint_call_is_allowed(const struct stint_call *call, uint32_t permissions);

/// Writes the conditions of which one must hold for the call to be allowed; returns how many, 0 when none
/// can.
uint32_t stint_call_conditions(const struct stint_call *call, uint32_t permissions,
                               struct stint_condition conditions[most_conditions]);

#endif
