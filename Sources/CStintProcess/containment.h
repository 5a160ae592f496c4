#ifndef STINT_CONTAINMENT_H
#define STINT_CONTAINMENT_H

#include "stint_process.h"

/// A filter of system calls as the kernel takes it; without lines where there is none.
struct stint_call_filter {
  const void *lines;
  uint32_t count;
};

/// Has libseccomp build the filter of a process with or without sockets, once; without lines where the library is not
/// there. For a parent, before fork.
struct stint_call_filter stint_build_call_filter(int32_t network);

/// Takes from the calling process what its plan does not give it, for good, as far as the system can: by
/// the filter, and by one of its own where that has no lines; only calls that
/// are safe behind fork. Returns 0, or -1 with the error number.
int stint_contain(const struct stint_child_plan *plan, const struct stint_call_filter *filter);

#endif
