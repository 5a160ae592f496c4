#ifndef STINT_CALL_FILTER_H
#define STINT_CALL_FILTER_H

#include "SystemCalls.h"

/// A filter of system calls as the kernel takes it. The lines may be changed in a process that was forked.
struct stint_call_filter {
  void *lines;
  uint32_t count;
};

/// The filter of a process with these permissions, built once: by libseccomp where that is there and `own`
/// is 0, else by hand, from the same table. Without lines where this processor has no table. For a parent,
/// before fork.
struct stint_call_filter stint_build_call_filter(uint32_t permissions, int32_t own);

/// The lines that libseccomp makes of the table; without lines where the library is not there or cannot.
struct stint_call_filter stint_library_filter(uint32_t permissions);

/// Installs the filter for the calling process, for good; only calls that are safe behind fork.
///
/// - listener: set to a descriptor by which the parent learns of refused calls; -1 where the kernel has none.
/// Returns 0, or -1 with the error number.
int stint_install_call_filter(struct stint_call_filter filter, int *listener);

#endif
