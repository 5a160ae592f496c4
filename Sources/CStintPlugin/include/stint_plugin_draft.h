#ifndef STINT_PLUGIN_DRAFT_H
#define STINT_PLUGIN_DRAFT_H

/// Experimental extensions of the protocol; any version may change or remove them. They have their own
/// header, so that a plugin uses them only on purpose.
///
/// Frames: kinds from `STINT_FIRST_DRAFT` on. They count like others, in numbers and in what may be said; a side that
/// does not know one passes over its body. So nothing that a side relies on may be a draft alone.
///
/// Extensions of libraries: names that end in `-draft`. The host asks for those that it knows and takes what it is not
/// given for not there; a library that has nothing but drafts is refused.
///
/// A draft becomes a part of the protocol with a minor version: as a new kind below `STINT_FIRST_DRAFT`, or a name without
/// the ending. Its old number or name is never used again, for nothing else either.

#include "stint_plugin.h"

#define STINT_FIRST_DRAFT 0x8000

// There are no drafts in this version.

#endif
