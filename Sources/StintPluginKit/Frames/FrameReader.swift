import StintUnits

/// A parser that splits a byte stream into frames and checks their headers. It keeps the appended bytes until
/// `next()` has returned their frames.
public struct FrameReader: Sendable {
  private var buffer: [UInt8] = []
  private var position = 0
  /// The expected sequence number of the next frame.
  public private(set) var nextSequence: UInt64 = 0
  /// True when the frame that `next()` examined last has a higher number than `nextSequence`. The frames
  /// before this frame must then arrive through the other transport.
  public private(set) var isAhead = false
  /// True when a second transport (the ring) carries frames of the same sequence.
  public var isShared = false

  /// Makes a reader at the beginning of a stream.
  public init() {}

  /// Appends received bytes, which may begin or end anywhere in a frame.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if position > 0 {
      buffer.removeFirst(position)
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Decodes the header of one complete frame.
  ///
  /// - Throws: a fault when the bytes are not exactly one frame, or when the sequence number of the frame is
  ///   not `nextSequence`.
  package static func frame(_ bytes: [UInt8], nextSequence: UInt64) throws(FrameFault) -> Frame {
    var reader = FrameReader()
    reader.buffer = bytes
    reader.nextSequence = nextSequence
    guard let frame = try reader.next(), reader.position == bytes.count else {
      throw FrameFault(.size, "sent an incomplete frame")
    }
    return frame
  }

  /// Skips one sequence number, because the frame with this number arrived through the other transport.
  public mutating func skip() { nextSequence += 1 }

  /// Returns the next complete frame.
  ///
  /// - Returns: nil when more bytes are needed, or when the next frame arrives through the other transport.
  package mutating func next() throws(FrameFault) -> Frame? {
    isAhead = false
    let count = buffer.count - position
    guard count >= FrameLayout.headerSize else { return nil }
    var header = ByteReader(Array(buffer[position..<position + FrameLayout.headerSize]))
    let length = Int(try header.integer(UInt32.self))
    guard (FrameLayout.headerSize...FrameLayout.largest).contains(length) else {
      throw FrameFault(.size, "sent a frame of \(length) bytes")
    }
    let kind = try header.integer(UInt16.self)
    try header.zero(2)
    let sequence = try header.integer(UInt64.self)
    guard sequence == nextSequence else {
      guard isShared, sequence > nextSequence else {
        throw FrameFault(.sequence, "sent frame \(sequence) where frame \(nextSequence) is expected")
      }
      isAhead = true
      return nil
    }
    guard count >= length else { return nil }
    let body = Array(buffer[position + FrameLayout.headerSize..<position + length])
    position += length
    nextSequence += 1
    return Frame(kind: kind, sequence: sequence, body: body)
  }
}
