#ifndef STINT_CLOCK_H
#define STINT_CLOCK_H

#include <stdint.h>

/// Makes a descriptor that becomes readable when the wall clock is set or the machine wakes from suspension.
/// Returns -1 when the system does not support it. The descriptor causes no other wake-ups.
int32_t stint_clock_watch(void);

/// Makes the descriptor wait for the next change of the wall clock.
void stint_clock_rearm(int32_t descriptor);

#endif
