#ifndef STINT_PLUGIN_DRAFT_H
#define STINT_PLUGIN_DRAFT_H

/// Experimental extensions of the protocol; any version may change or remove them. They have their own
/// header, so that a plugin uses them only deliberately.
///
/// Frames: kinds from `STINT_FIRST_DRAFT` on. They have sequence numbers and rate limits like all frames; a
/// side that does not know a kind ignores its body. So neither side may depend on drafts alone.
///
/// Extensions of libraries: names that end in `-draft`. The host requests those that it knows and works
/// without the missing ones; a library that has only drafts is rejected.
///
/// A minor version can make a draft a part of the protocol: as a new kind below `STINT_FIRST_DRAFT`, or as a
/// name without the ending. Its old number or name is never reused.

#include "stint_plugin.h"

#define STINT_FIRST_DRAFT 0x8000

// There are no drafts in this version.

#endif
