#ifndef STINT_CONTAINMENT_H
#define STINT_CONTAINMENT_H

#include "CallFilter.h"
#include "stint_process.h"

// These functions run between fork and exec and use only calls that are safe there. Each function with a
// result returns 0, or -1 with errno set.

/// Gives the calling process, in its own mount namespace, a root folder with only the plan's paths and sealed
/// files.
int stint_enter_own_root(const struct stint_child_plan *plan);

/// Prevents the calling process, and every program that it starts, from getting further capabilities. Call
/// this function before `stint_become_user`. Otherwise the change of the user would remove the present
/// capabilities.
void stint_bound_privileges(void);

/// Switches the calling process to the user and groups of the plan. Fails when the user namespace lacks the
/// user or one of the groups.
int stint_become_user(const struct stint_child_plan *plan);

/// Removes all capabilities of the calling process permanently.
int stint_drop_capabilities(void);

/// Restricts the calling process to the plan's files by Landlock, and adds `stint_means_landlock` to `held`.
/// Does nothing and returns 0 when the kernel lacks Landlock or the plan excludes it.
int stint_restrict_files(const struct stint_child_plan *plan, uint32_t *held);

#endif
