#ifndef STINT_ESCAPES_H
#define STINT_ESCAPES_H

#include <stdint.h>

/// The targets of attempts to escape.
struct stint_escape_target {
  /// The process id of the daemon.
  int32_t process;
  /// A folder with the files `secret`, `journal` and `program`. The contained process has no access to it.
  const char *folder;
};

/// An attempt: returns 0 when it succeeded, otherwise the errno with which it was denied.
struct stint_escape {
  const char *name;
  int (*attempt)(const struct stint_escape_target *target);
};

/// The attempts on other processes and limits, on files, and on the system. Each array ends with a null name.
extern const struct stint_escape stint_process_escapes[];
extern const struct stint_escape stint_file_escapes[];
extern const struct stint_escape stint_system_escapes[];

/// 0 when a call succeeded, otherwise its errno.
#define STINT_WORKED(call) ((call) == -1 ? errno : 0)

/// Like STINT_WORKED, for a call with harmless arguments. When the kernel permits the call and rejects only
/// the arguments, the attempt counts as a success.
#define STINT_REACHED(call) stint_reached((call) == -1 ? errno : 0)

static inline int stint_reached(int number) {
  // These numbers are EPERM, ENOSYS and EACCES.
  return number == 1 || number == 38 || number == 13 ? number : 0;
}

#endif
