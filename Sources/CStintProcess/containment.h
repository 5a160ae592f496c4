#ifndef STINT_CONTAINMENT_H
#define STINT_CONTAINMENT_H

#include "stint_process.h"

/// Takes from the calling process what its plan does not give it, for good, as far as the system can; only calls that
/// are safe behind fork. Returns 0, or -1 with the error number.
int stint_contain(const struct stint_child_plan *plan);

#endif
