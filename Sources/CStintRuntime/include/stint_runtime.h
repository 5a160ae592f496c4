#ifndef STINT_RUNTIME_H
#define STINT_RUNTIME_H

#include <stdint.h>

/// Makes a descriptor that becomes readable when the wall clock is set or the machine wakes from suspension.
/// Returns -1 when the system does not support it. The descriptor causes no other wake-ups.
int32_t stint_clock_watch(void);

/// Makes the descriptor wait for the next change of the wall clock.
void stint_clock_rearm(int32_t descriptor);

/// Sets the name of the calling thread: a string of at most 15 bytes that ends with a zero byte.
void stint_name_thread(const char *name);

#endif
