import StintPluginKit

/// The frames of a plugin in the order in which it said them, whichever way each came: through its channel or through
/// its ring. Their numbers say the order. A pure state machine.
///
/// A plugin says one frame whole before the next. So the next frame has arrived already when a later one is
/// there; if it has not, the plugin did not send it.
struct FrameMerge: Sendable {
  private var channel = FrameReader()
  /// What was read of the ring and is not due yet, or not looked at yet.
  private var fromRing: [UInt8]?
  private(set) var hasRing = false

  mutating func receive(_ bytes: ArraySlice<UInt8>) { channel.append(bytes) }

  /// From now on some of the frames come through a ring.
  mutating func openRing() {
    hasRing = true
    channel.isShared = true
  }

  /// Whether the next frame of the ring may be handed over.
  var wantsFromRing: Bool { hasRing && fromRing == nil }

  /// Takes a frame of the ring.
  ///
  /// - Precondition: one is wanted.
  mutating func receive(ring bytes: [UInt8]) {
    precondition(wantsFromRing, "a ring is read when its next frame is wanted")
    fromRing = bytes
  }

  /// The next frame; nil while it has not arrived.
  mutating func next() throws(FrameFault) -> (frame: Frame, isFromRing: Bool)? {
    if let bytes = fromRing, try Self.sequence(bytes) <= channel.due {
      let frame = try FrameReader.frame(bytes, due: channel.due)
      fromRing = nil
      channel.skip()
      return (frame, true)
    }
    return try channel.next().map { ($0, false) }
  }

  /// Whether a frame of the ring waits for one that must lie in the channel.
  var needsChannel: Bool { fromRing != nil }

  /// What is wrong once neither way has more: a frame is there, and one before it is not.
  func missing() throws(FrameFault) {
    guard channel.isAhead || fromRing != nil else { return }
    throw FrameFault(.sequence, "sent another frame where frame \(channel.due) is expected")
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
