#ifndef STINT_ESCAPES_RUN_H
#define STINT_ESCAPES_RUN_H

#include <stdint.h>

/// Returns the number of attempts that `stint_run_escapes` makes; 0 on systems other than Linux.
int32_t stint_escape_count(void);

/// Makes all escape attempts in the calling process, which must be contained. Their targets are the process
/// `process` and a folder with the files `secret`, `journal` and `program`. Writes a line for each attempt to
/// `channel`: the errno with which the attempt was denied, or 0 when the attempt succeeded, and the name of
/// the attempt. Returns 0; returns 1 when a write to the channel fails, and on systems other than Linux.
int stint_run_escapes(int32_t process, const char *folder, int channel);

/// Returns the argument of the program at the index `place`; 0 is the program's name. Returns null if there
/// is no such argument. Does not read /proc, because a contained program may not read it.
const char *stint_program_argument(int32_t place);

#endif
