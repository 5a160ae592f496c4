#ifndef STINT_PLUGIN_H
#define STINT_PLUGIN_H

/// The numbers of the protocol between Stint and a plugin, for plugins in C. PROTOCOL.md beside this folder describes
/// what they mean, with test vectors. Everything is little-endian; a plugin's channel is descriptor 3.

#include <stdint.h>

#define STINT_PROTOCOL_MAJOR 1
#define STINT_PROTOCOL_MINOR 0

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

#endif
