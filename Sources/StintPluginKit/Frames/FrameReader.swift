import StintUnits

/// Cuts a stream of bytes into frames and checks their headers; holds at most one frame that is not complete.
public struct FrameReader: Sendable {
  private var held: [UInt8] = []
  private var taken = 0
  /// The number of the next frame.
  public private(set) var due: UInt64 = 0
  /// Whether the frame that came last is not due yet, because one in front of it travels elsewhere.
  public private(set) var isAhead = false
  /// Whether frames of the same numbers come on another way as well.
  public var isShared = false

  /// Makes a reader at the beginning of a stream.
  public init() {}

  /// Takes bytes in, however they were cut on their way.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if taken > 0 {
      held.removeFirst(taken)
      taken = 0
    }
    held.append(contentsOf: bytes)
  }

  /// Reads one frame that came whole, and has its number.
  public static func frame(_ bytes: [UInt8], due: UInt64) throws(FrameFault) -> Frame {
    var reader = FrameReader()
    reader.held = bytes
    reader.due = due
    guard let frame = try reader.next(), reader.taken == bytes.count else {
      throw FrameFault(.size, "sent a frame that is not whole")
    }
    return frame
  }

  /// Skips the next frame's number, because that frame came on another way.
  public mutating func skip() { due += 1 }

  /// The next complete frame; nil when more bytes are needed, or the next frame comes on another way.
  public mutating func next() throws(FrameFault) -> Frame? {
    isAhead = false
    let count = held.count - taken
    guard count >= FrameLayout.headerSize else { return nil }
    var header = ByteReader(Array(held[taken..<taken + FrameLayout.headerSize]))
    let length = Int(try header.integer(UInt32.self))
    guard (FrameLayout.headerSize...FrameLayout.largest).contains(length) else {
      throw FrameFault(.size, "sent a frame of \(length) bytes")
    }
    let kind = try header.integer(UInt16.self)
    try header.zero(2)
    let sequence = try header.integer(UInt64.self)
    guard sequence == due else {
      guard isShared, sequence > due else {
        throw FrameFault(.sequence, "sent frame \(sequence) where frame \(due) is expected")
      }
      isAhead = true
      return nil
    }
    guard count >= length else { return nil }
    let body = Array(held[taken + FrameLayout.headerSize..<taken + length])
    taken += length
    due += 1
    return Frame(kind: kind, sequence: sequence, body: body)
  }
}
