#include "stint_runtime.h"

#ifdef __linux__

#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#ifndef TFD_TIMER_CANCEL_ON_SET
#define TFD_TIMER_CANCEL_ON_SET (1 << 1)
#endif

static int arm(int descriptor) {
  // The timer never expires. It is used only because the kernel cancels it when the clock is set.
  struct itimerspec never = {.it_value = {.tv_sec = INT32_MAX, .tv_nsec = 0}};
  if (sizeof(time_t) > 4) never.it_value.tv_sec = (time_t)(INT64_C(200) * 366 * 86400);
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int32_t stint_clock_watch(void) {
  int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (descriptor < 0) return -1;
  // When the clock was set just before, arming the timer fails with ECANCELED although the timer is armed.
  if (arm(descriptor) != 0 && errno != ECANCELED) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

void stint_clock_rearm(int32_t descriptor) {
  uint64_t expirations;
  // Fails with ECANCELED when the clock was set; the read clears that state.
  (void)!read(descriptor, &expirations, sizeof expirations);
  (void)arm(descriptor);
}

#else

int32_t stint_clock_watch(void) { return -1; }
void stint_clock_rearm(int32_t descriptor) { (void)descriptor; }

#endif
