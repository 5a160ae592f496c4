#ifndef STINT_PLUGIN_H
#define STINT_PLUGIN_H

/// The numbers of the protocol between Stint and a plugin, for plugins in C. The document PROTOCOL.md of
/// Stint describes their meaning, with test vectors. All values are little-endian; a plugin's channel is
/// descriptor 3.

#include <stdint.h>

#define STINT_PROTOCOL_MAJOR 1
#define STINT_PROTOCOL_MINOR 8

/// Limits: the size of a frame in bytes, the length of a string in bytes, the number of samples in a batch, and
/// the number of devices of a process.
#define STINT_LARGEST_FRAME 65536
#define STINT_LONGEST_TEXT 1024
#define STINT_MOST_SAMPLES 1364
#define STINT_MOST_DEVICES 16

/// Limits of bytes: the number of channels of bytes of a device, and the length of a value.
#define STINT_MOST_BYTE_CHANNELS 4
#define STINT_MOST_BYTES 255

/// Messages of the host: even numbers.
enum stint_host_frame {
  STINT_HELLO = 0,
  STINT_OPEN = 2,
  STINT_APPLY = 4,
  STINT_DRAIN = 6,
  STINT_CLOSE = 8,
  /// Since 1.1; see stint_ring.h.
  STINT_RING = 10,
  /// Since 1.2.
  STINT_CARRY = 12,
  STINT_ABANDON = 14,
  STINT_ORDER = 16,
  /// Since 1.5: a message about one of several devices; see stint_address.
  STINT_FOR_DEVICE = 18,
  /// Since 1.6; to a source only.
  STINT_READ = 20,
  /// Since 1.6: the wake-up that STINT_WAKE_AT requested.
  STINT_WAKE = 22,
};

/// Messages of a plugin: odd numbers.
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
  /// Since 1.2.
  STINT_CARRIED = 29,
  STINT_ABANDONED = 31,
  STINT_REPORT = 33,
  /// Since 1.4.
  STINT_WIDE_BATCH = 35,
  /// Since 1.5: a message about one of several devices; see stint_address.
  STINT_OF_DEVICE = 37,
  /// Since 1.6: the answer to STINT_READ.
  STINT_PUBLISHED = 39,
  /// Since 1.6.
  STINT_WAKE_AT = 41,
  /// Since 1.7: a fact of a family.
  STINT_KEYED_FACT = 43,
  /// Since 1.8: samples with bytes.
  STINT_BYTE_BATCH = 45,
};

/// Bits of the flags of `apply`.
enum stint_setting {
  STINT_IS_ON = 1,
  STINT_IS_HOLDING = 2,
  STINT_HAS_ACCURACY = 4,
  STINT_HAS_PERIOD = 8,
  STINT_HAS_ACTIVITY = 16,
  /// Since 1.2.
  STINT_KEEPS_NEWEST = 32,
  /// Since 1.3.
  STINT_HAS_ATTRIBUTES = 64,
};

/// The reason for a delivery.
enum stint_hand_over {
  STINT_IMMEDIATE = 0,
  STINT_FULL = 1,
  STINT_ENDED = 2,
};

/// The type of a fact's value.
enum stint_value {
  STINT_UNKNOWN = 0,
  STINT_BOOLEAN = 1,
  STINT_NUMBER = 2,
  STINT_SYMBOL = 3,
};

/// The header of every frame; little-endian machines can write the struct directly.
struct stint_frame_header {
  /// The length of the whole frame in bytes, header included.
  uint32_t length;
  uint16_t kind;
  /// Must be 0.
  uint16_t reserved;
  /// The sequence number; each side counts its frames from 0.
  uint64_t sequence;
};

/// The beginning of the body of STINT_FOR_DEVICE and STINT_OF_DEVICE. The body of the message follows.
struct stint_address {
  /// The number of the device: its place in `manifests` of the descriptor, from 0.
  uint16_t device;
  /// The kind of the message that follows.
  uint16_t kind;
  /// Zero.
  uint32_t reserved;
};

/// One sample, in the format of a batch.
struct stint_sample {
  /// Nanoseconds since 1970.
  int64_t instant;
  /// The sequence number; each process counts its samples from 0, and a gap means lost samples.
  uint64_t sequence;
  /// The values in the order of the manifest's channels; unused channels are 0. A device with more than four
  /// channels sends the further values behind each sample, in a wide batch.
  double values[4];
};

_Static_assert(sizeof(struct stint_frame_header) == 16, "a header has 16 bytes");
_Static_assert(sizeof(struct stint_sample) == 48, "a sample has 48 bytes");
_Static_assert(sizeof(struct stint_address) == 8, "an address has 8 bytes");

// A plugin in a shared library exchanges the same frames by function calls. The plugin is then a part of the
// daemon and has all permissions of the daemon: use a library only for plugins that the operator trusts.
//
// A library exports one symbol, `stint_plugin`. The symbol is data, so the host can read it before it calls a
// function of the library. Only the library's constructors have run by then. Structs begin with their size,
// so that later versions can append fields; neither side reads beyond the size that the other side declares.
// Extensions with names that end in `-draft` may change; all others are stable.

/// The functions that the host offers to a plugin.
struct stint_host {
  /// The size of this struct in the host, in bytes.
  uint32_t size;
  uint32_t reserved;
  /// Must be passed to every call.
  void *context;
  /// Sends complete frames, in one call or in several. May be called from any thread, from the beginning of
  /// `create` until `destroy` returns. The function copies the bytes before it returns. The host answers
  /// later, never from within this call.
  void (*say)(void *context, const void *bytes, uint64_t count);
};

/// The functions of the extension `stint.frames`. The host calls them on its only thread, one at a time, and
/// never from within `say`. The functions must return within milliseconds, because the daemon waits for them.
struct stint_frames {
  uint32_t size;
  uint32_t reserved;
  /// Makes the devices of the library, or returns null on failure. The host's struct lives until `destroy` returns.
  void *(*create)(const struct stint_host *host);
  /// Receives a complete frame from the host; the bytes are valid until the function returns.
  void (*take)(void *device, const void *bytes, uint64_t count);
  /// Destroys the devices. After this function returns, no code of the plugin may run. The library itself stays
  /// loaded.
  void (*destroy)(void *device);
};

/// The type of the exported symbol.
struct stint_plugin_library {
  uint32_t size;
  /// The plugin's version of the protocol.
  uint16_t major;
  uint16_t minor;
  /// The name in the plugin's descriptor.
  const char *name;
  /// Returns the functions of an extension by its name, or null when the plugin does not have it. May be
  /// called from any thread and has no side effects.
  const void *(*extension)(const char *name);
};

#define STINT_FRAMES "stint.frames"

/// The symbol: `STINT_EXPORT const struct stint_plugin_library stint_plugin = {...};`
#define STINT_EXPORT __attribute__((visibility("default")))
extern const struct stint_plugin_library stint_plugin;

#endif
