/// The lines of a connection that are not sent yet. Lines that contain an event are counted.
struct SendQueue {
  private var bytes: [UInt8] = []
  /// The number of bytes at the start of `bytes` that are already sent.
  private var sent = 0
  /// The ends of the unsent lines with events, as positions in `bytes`, in ascending order. May also contain
  /// ends in the sent part.
  private var eventEnds: [Int] = []

  /// The number of unsent bytes.
  var count: Int { bytes.count - sent }

  var unsent: ArraySlice<UInt8> { bytes[sent...] }

  /// The number of lines with events that are not sent completely.
  var events: Int { eventEnds.count { $0 > sent } }

  mutating func append(_ line: String, isEvent: Bool) {
    bytes += Array(line.utf8) + [0x0A]
    if isEvent { eventEnds.append(bytes.count) }
  }

  /// Records that the first `count` unsent bytes were sent.
  mutating func remove(_ count: Int) {
    sent += count
    if sent == bytes.count { clear() }
  }

  /// Frees the memory of the sent part if it is larger than `limit` bytes. Each call moves all unsent bytes.
  mutating func compact(above limit: Int) {
    guard sent > limit else { return }
    bytes.removeFirst(sent)
    eventEnds = eventEnds.filter { $0 > sent }.map { $0 - sent }
    sent = 0
  }

  /// Removes all lines.
  mutating func clear() {
    bytes = []
    eventEnds = []
    sent = 0
  }
}
