#ifndef STINT_PLUGIN_H
#define STINT_PLUGIN_H

/// The numbers of the protocol between Stint and a plugin, for plugins in C. PROTOCOL.md beside this folder describes
/// what they mean, with test vectors. Everything is little-endian; a plugin's channel is descriptor 3.

#include <stdint.h>

#define STINT_PROTOCOL_MAJOR 1
#define STINT_PROTOCOL_MINOR 1

/// Bounds: of a whole frame, of a text, and of the samples in one batch.
#define STINT_LARGEST_FRAME 65536
#define STINT_LONGEST_TEXT 1024
#define STINT_MOST_SAMPLES 1364

/// What the host says: even numbers.
enum stint_host_frame {
  STINT_HELLO = 0,
  STINT_OPEN = 2,
  STINT_APPLY = 4,
  STINT_DRAIN = 6,
  STINT_CLOSE = 8,
  /// Since 1.1; see stint_ring.h.
  STINT_RING = 10,
};

/// What a plugin says: odd numbers.
enum stint_plugin_frame {
  STINT_WELCOME = 1,
  STINT_MANIFEST = 3,
  STINT_OPENED = 5,
  STINT_APPLIED = 7,
  STINT_REFUSED = 9,
  STINT_DRAINED = 11,
  STINT_CLOSED = 13,
  STINT_BATCH = 15,
  STINT_FACT = 17,
  STINT_STATE = 19,
  STINT_EVENT = 21,
  STINT_AVAILABLE = 23,
  STINT_FAULT = 25,
  /// Since 1.1.
  STINT_MAPPED = 27,
};

/// Bits of the flags of `apply`.
enum stint_setting {
  STINT_IS_ON = 1,
  STINT_IS_HOLDING = 2,
  STINT_HAS_ACCURACY = 4,
  STINT_HAS_PERIOD = 8,
  STINT_HAS_ACTIVITY = 16,
};

/// Why samples are handed over.
enum stint_hand_over {
  STINT_IMMEDIATE = 0,
  STINT_FULL = 1,
  STINT_ENDED = 2,
};

/// What sort of value a fact has.
enum stint_value {
  STINT_UNKNOWN = 0,
  STINT_BOOLEAN = 1,
  STINT_NUMBER = 2,
  STINT_SYMBOL = 3,
};

/// What every frame begins with; on little-endian machines it may be written as it is.
struct stint_frame_header {
  /// Of the whole frame, this header included.
  uint32_t length;
  uint16_t kind;
  /// Zero.
  uint16_t reserved;
  /// Each side counts its frames from 0.
  uint64_t sequence;
};

/// One reading, as it stands in a batch.
struct stint_sample {
  /// Nanoseconds since 1970.
  int64_t instant;
  /// Counts the samples of a process from 0; a gap shows a loss.
  uint64_t sequence;
  /// In the order of the manifest's channels; those that there are not are 0.
  double values[4];
};

_Static_assert(sizeof(struct stint_frame_header) == 16, "a header has 16 bytes");
_Static_assert(sizeof(struct stint_sample) == 48, "a sample has 48 bytes");

// A plugin that is a library says the same frames by calls. It is a part of the daemon then and can do whatever the
// daemon can: this is for plugins that the operator trusts.
//
// A library exports one symbol, `stint_plugin`, which is data: what it says can be read without running
// anything of the library but its constructors. Structs begin with their size, so that later versions can
// grow at their end; neither side reads beyond the size that the other side gives. Names of extensions that
// end in `-draft` may change; others do not.

/// What the host offers to a plugin.
struct stint_host {
  /// The size of this struct where it was made.
  uint32_t size;
  uint32_t reserved;
  /// To be handed back with every call.
  void *context;
  /// Says whole frames, in one call or in many. Any thread; from the begin of `create` until `destroy` returns. The
  /// bytes are copied before it returns; the host answers later, never from within.
  void (*say)(void *context, const void *bytes, uint64_t count);
};

/// The functions of the extension `stint.frames`. All are called on the host's one thread, one at a time, and must
/// return within milliseconds: the daemon waits for them. None is called from within `say`.
struct stint_frames {
  uint32_t size;
  uint32_t reserved;
  /// Makes a device; the host's struct lives until `destroy` returns. Null when that cannot be.
  void *(*create)(const struct stint_host *host);
  /// Takes a whole frame of the host's; the bytes are the plugin's until it returns.
  void (*take)(void *device, const void *bytes, uint64_t count);
  /// Ends a device; after it returns nothing of the plugin runs any more. The library itself stays loaded.
  void (*destroy)(void *device);
};

/// What the exported symbol holds.
struct stint_plugin_library {
  uint32_t size;
  /// The version of the protocol that it speaks.
  uint16_t major;
  uint16_t minor;
  /// The name of its descriptor.
  const char *name;
  /// The functions of an extension by its name, null for one that it does not have. Any thread; without effect.
  const void *(*extension)(const char *name);
};

#define STINT_FRAMES "stint.frames"

/// The symbol: `STINT_EXPORT const struct stint_plugin_library stint_plugin = {...};`
#define STINT_EXPORT __attribute__((visibility("default")))
extern const struct stint_plugin_library stint_plugin;

#endif
