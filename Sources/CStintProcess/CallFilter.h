#ifndef STINT_CALL_FILTER_H
#define STINT_CALL_FILTER_H

#include "SystemCalls.h"

/// A filter of system calls in the kernel's format. After fork, the child completes its own copy of the
/// instructions.
struct stint_call_filter {
  void *lines;
  uint32_t count;
};

/// Returns the filter for a process with these permissions. The first call with these arguments builds the
/// filter from the table of calls. libseccomp builds the filter when that library is installed and `own` is
/// 0; otherwise this module builds it. The filter has no instructions when the table does not cover this
/// processor or the kernel has no such filters. Call this function in the parent, before fork.
struct stint_call_filter stint_build_call_filter(uint32_t permissions, int32_t own);

/// Returns the filter that libseccomp builds from the table. The filter has no instructions when the library
/// is missing or fails.
struct stint_call_filter stint_library_filter(uint32_t permissions);

/// Installs the filter for the calling process, irrevocably. Uses only calls that are safe after fork.
///
/// With `counts_threads`, the parent decides about each new thread if the kernel reports calls to the parent.
/// Sets `listener` to a descriptor through which the parent receives denied calls, or to -1 when the kernel
/// does not support this. Returns 0, or -1 with errno set.
int stint_install_call_filter(struct stint_call_filter filter, int counts_threads, int *listener);

#endif
