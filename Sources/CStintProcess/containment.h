#ifndef STINT_CONTAINMENT_H
#define STINT_CONTAINMENT_H

#include "CallFilter.h"
#include "stint_process.h"

// All of this runs between fork and exec: only calls that are safe there. Each returns 0, or -1 with the
// error number.

/// Gives the calling process, in a mount namespace of its own, a root folder with the plan's paths and
/// sealed files only.
int stint_enter_own_root(const struct stint_child_plan *plan);

/// Makes the calling process the plan's user, if it names one, and takes every capability from it for good.
int stint_drop_privileges(const struct stint_child_plan *plan);

/// Closes the files that the plan does not name to the calling process by Landlock; sets the means in `held`
/// if so.
int stint_restrict_files(const struct stint_child_plan *plan, uint32_t *held);

#endif
