#ifndef STINT_ESCAPES_H
#define STINT_ESCAPES_H

#include <stdint.h>

/// Whom and what an attempt to escape is aimed at.
struct stint_escape_target {
  /// The daemon.
  int32_t process;
  /// A folder that was not given to the process, with the files `secret`, `journal` and `program`.
  const char *folder;
};

/// An attempt: returns 0 when it got through, else the error number with which it was refused.
struct stint_escape {
  const char *name;
  int (*attempt)(const struct stint_escape_target *target);
};

/// The attempts on other processes and on limits, on files, and on the system. Each list ends with a null
/// name.
extern const struct stint_escape stint_process_escapes[];
extern const struct stint_escape stint_file_escapes[];
extern const struct stint_escape stint_system_escapes[];

/// 0 when a call worked, else its error number.
#define STINT_WORKED(call) ((call) == -1 ? errno : 0)

/// The same for a call with arguments that do no harm: it got through too when the kernel complains about
/// them.
#define STINT_REACHED(call) stint_reached((call) == -1 ? errno : 0)

static inline int stint_reached(int number) {
  // EPERM, ENOSYS, EACCES.
  return number == 1 || number == 38 || number == 13 ? number : 0;
}

#endif
