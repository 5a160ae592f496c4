#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "SystemCalls.h"

#if defined(__linux__)

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>

int stint_call_is_allowed(const struct stint_call *call, uint32_t permissions) {
  switch (call->rule) {
  case always_allowed: return 1;
  case for_writers: return (permissions & may_write) != 0;
  case for_network: return (permissions & may_use_network) != 0;
  case for_own_root: return (permissions & may_change_folder) != 0;
  case for_watchers: return (permissions & may_watch_files) != 0;
  case stream_pairs_only:
  case unaddressed_only: return (permissions & may_use_network) != 0;
  case for_starters: return (permissions & may_start_processes) != 0;
  // A process that may start processes is in a PID namespace and sees only its own processes.
  case own_process_only: return (permissions & may_start_processes) != 0;
  case reading_second:
  case reading_third: return (permissions & (may_write | may_start_processes)) != 0;
  default: return 0;
  }
}

enum {
  /// Flags that give a new process another parent, change its tracing, or make new namespaces.
  escaping_flags = CLONE_PARENT | CLONE_PTRACE | CLONE_UNTRACED | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS
    | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
  /// The kind of a socket without the flags that the same argument contains.
  socket_kind_mask = 0xf,
  thread_flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
  writing_flags = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY),
};

int stint_makes_thread(uint64_t flags) {
  return (flags & (escaping_flags | thread_flags)) == thread_flags;
}

/// Options of prctl: names of threads and memory, timer slack, and queries. PR_SET_PDEATHSIG is excluded,
/// because a process could use it to cancel the signal that kills the process when the daemon ends.
static const uint32_t options[] = {2, 3, 15, 16, 21, 23, 27, 29, 30, 38, 39, 42, 0x53564d41};

/// Commands of fcntl: duplicates, flags, sizes of pipes, seals. Owners, signals, leases and notifications are
/// excluded: they affect other processes.
static const uint32_t commands[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, 1030, 1031, 1032, 1034};

/// Commands of fcntl for file locks. Only writers may use them: a lock can block other processes that use the
/// file.
static const uint32_t locks[] = {5, 6, 7, 36, 37, 38};

/// Requests to terminals and pipes: attributes, window, waiting bytes, blocking mode, close-on-exec.
static const uint32_t requests[] = {0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451, 0x802c542a};

/// Requests to serial lines: attributes and control lines. TIOCSTI is excluded: it injects typed input.
static const uint32_t line_requests[] = {
  0x5402, 0x5403, 0x5404, 0x5409, 0x540a, 0x540b, 0x540c, 0x540d, 0x5411, 0x5415, 0x5416, 0x5417, 0x5418,
  0x541e,
  0x541f, 0x5425, 0x545c, 0x545d, 0x402c542b, 0x402c542c, 0x402c542d,
};

/// The type bytes of device requests: I2C, IIO, HID, input, RTC and PPS, watchdog, SPI, USB, GPIO, video.
static const uint32_t device_letters[] = {0x07, 'i', 'H', 'E', 'p', 'W', 'k', 'U', 0xb4, 'V'};

/// Address families: local sockets, IPv4 and IPv6.
static const uint32_t families[] = {1, 2, 10};

#define EACH(list, argument, mask, shift) \
  for (uint32_t place = 0; place < sizeof list / sizeof list[0]; place++) \
    conditions[count++] = (struct stint_condition){argument, mask, list[place] << (shift)}

uint32_t stint_call_conditions(const struct stint_call *call, uint32_t permissions,
                               struct stint_condition conditions[most_conditions]) {
  uint32_t count = 0;
  const uint32_t whole = UINT32_MAX;
  switch (call->rule) {
  case threads_only:
    if (permissions & may_start_processes) {
      conditions[count++] = (struct stint_condition){0, escaping_flags, 0};
    } else {
      conditions[count++] = (struct stint_condition){0, escaping_flags | thread_flags, thread_flags};
    }
    break;
  case own_process_only: conditions[count++] = (struct stint_condition){0, whole, own_process_mark}; break;
  case known_options: EACH(options, 0, whole, 0); break;
  case own_limits_only: conditions[count++] = (struct stint_condition){0, whole, 0}; break;
  case known_commands:
    EACH(commands, 1, whole, 0);
    if (permissions & may_write) EACH(locks, 1, whole, 0);
    break;
  case known_requests:
    EACH(requests, 1, whole, 0);
    if (permissions & may_control_devices) {
      EACH(line_requests, 1, whole, 0);
      EACH(device_letters, 1, 0xff00, 8);
    }
    break;
  case reading_second: conditions[count++] = (struct stint_condition){1, writing_flags, 0}; break;
  case reading_third: conditions[count++] = (struct stint_condition){2, writing_flags, 0}; break;
  case known_families:
    if (permissions & may_use_network) EACH(families, 0, whole, 0);
    break;
  // A datagram socket could send to every local socket of the system, and a filter cannot check the name of
  // the destination.
  case stream_pairs_only:
    conditions[count++] = (struct stint_condition){1, socket_kind_mask, SOCK_STREAM};
    break;
  // Argument 5 is the length of the address. When the length is 0, the kernel does not read the address.
  case unaddressed_only: conditions[count++] = (struct stint_condition){5, whole, 0}; break;
  default: break;
  }
  return count;
}

#else

int stint_call_is_allowed(const struct stint_call *call, uint32_t permissions) {
  (void)call;
  (void)permissions;
  return 0;
}

uint32_t stint_call_conditions(const struct stint_call *call, uint32_t permissions,
                               struct stint_condition conditions[most_conditions]) {
  (void)call;
  (void)permissions;
  (void)conditions;
  return 0;
}

#endif
