import StintPluginKit

/// A pure state machine that merges the frames from a plugin's channel and ring.
///
/// The merged frames are in the order of their sequence numbers. A plugin sends each frame completely before
/// the next frame. So when channel and ring are empty and an earlier frame is missing, the plugin did not
/// send that frame.
struct FrameMerge: Sendable {
  private var channel = FrameReader()
  /// A frame from the ring that is not yet checked, or that waits for earlier frames.
  private var fromRing: [UInt8]?
  private(set) var hasRing = false

  mutating func receive(_ bytes: ArraySlice<UInt8>) { channel.append(bytes) }

  /// Enables the ring. From this call on, frames arrive through the channel and through the ring.
  mutating func openRing() {
    hasRing = true
    channel.isShared = true
  }

  /// True when the next frame of the ring can be passed to `receive(ring:)`.
  var wantsFromRing: Bool { hasRing && fromRing == nil }

  /// Accepts a frame from the ring.
  ///
  /// - Precondition: `wantsFromRing` is true.
  mutating func receive(ring bytes: [UInt8]) {
    precondition(wantsFromRing, "the previous frame of the ring is not processed yet")
    fromRing = bytes
  }

  /// Returns the next frame; nil when the next frame has not arrived.
  mutating func next() throws(FrameFault) -> (frame: Frame, isFromRing: Bool)? {
    if let bytes = fromRing, try Self.sequence(bytes) <= channel.nextSequence {
      let frame = try FrameReader.frame(bytes, nextSequence: channel.nextSequence)
      fromRing = nil
      channel.skip()
      return (frame, true)
    }
    return try channel.next().map { ($0, false) }
  }

  /// True when a frame from the ring waits for an earlier frame. The earlier frame can only arrive through
  /// the channel.
  var needsChannel: Bool { fromRing != nil }

  /// Throws a fault when a frame has arrived and an earlier frame is missing. Call this function when channel
  /// and ring are empty.
  func missing() throws(FrameFault) {
    guard channel.isAhead || fromRing != nil else { return }
    throw FrameFault(.sequence, "sent another frame where frame \(channel.nextSequence) is expected")
  }

  private static func sequence(_ bytes: [UInt8]) throws(FrameFault) -> UInt64 {
    guard bytes.count >= FrameLayout.headerSize else {
      throw FrameFault(.size, "sent a frame of \(bytes.count) bytes through its ring")
    }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
