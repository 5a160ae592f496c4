/// Cuts a stream of bytes into frames and checks their headers; holds at most one frame that is not complete.
public struct FrameReader: Sendable {
  private var held: [UInt8] = []
  private var taken = 0
  private var nextSequence: UInt64 = 0

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

  /// The next complete frame; nil when more bytes are needed.
  public mutating func next() throws(FrameFault) -> Frame? {
    let count = held.count - taken
    guard count >= FrameLayout.headerSize else { return nil }
    var header = FrameBytes(Array(held[taken..<taken + FrameLayout.headerSize]))
    let length = Int(try header.integer(UInt32.self))
    guard (FrameLayout.headerSize...FrameLayout.largest).contains(length) else {
      throw FrameFault(.size, "sent a frame of \(length) bytes")
    }
    let kind = try header.integer(UInt16.self)
    try header.zero(2)
    let sequence = try header.integer(UInt64.self)
    guard sequence == nextSequence else {
      throw FrameFault(.sequence, "sent frame \(sequence) where frame \(nextSequence) is due")
    }
    guard count >= length else { return nil }
    let body = Array(held[taken + FrameLayout.headerSize..<taken + length])
    taken += length
    nextSequence += 1
    return Frame(kind: kind, sequence: sequence, body: body)
  }
}
