#ifndef STINT_PLUGIN_DRAFT_H
#define STINT_PLUGIN_DRAFT_H

/// Experimental extensions of the protocol; any version may change or remove them. They have their own
/// header, so that a plugin uses them only deliberately.
///
/// Frames: kinds from `STINT_FIRST_DRAFT` on. Drafts have sequence numbers and rate limits like all frames. A
/// side that does not know a kind ignores its body, so neither side may require that the other side knows a
/// draft.
///
/// Extensions of libraries: names that end in `-draft`. The host requests the drafts that it knows, and works
/// when a library lacks them. The host rejects a library that has only drafts.
///
/// A minor version can make a draft a part of the protocol: as a new kind below `STINT_FIRST_DRAFT`, or as a
/// name without the ending. Its old number or name is never reused.

#include "stint_plugin.h"

#define STINT_FIRST_DRAFT 0x8000

// There are no drafts in this version.

#endif
