public import StintUnits

/// The faults of one device since the governor started: their number, and the most recent ones by text.
///
/// A device that reports the same fault again and again has one entry, whose count grows.
public struct FaultHistory: Hashable, Sendable {
  /// All faults of a device with one text.
  public struct Entry: Hashable, Sendable {
    /// The text with which the device reported the fault.
    public var text: String
    /// The number of faults with this text.
    public var count: Int
    /// The instants of the first and of the last fault with this text.
    public var first, last: Instant
  }

  /// The maximum number of entries. A new text replaces the entry whose last fault is the oldest.
  public static let maxEntries = 8

  /// The entries, the most recent fault last.
  public private(set) var entries: [Entry] = []
  /// The number of faults, including those without an entry.
  public private(set) var count = 0

  /// Makes an empty history.
  public init() {}

  /// The text of the last fault; nil without a fault.
  public var lastText: String? { entries.last?.text }

  /// Adds a fault.
  mutating func add(_ text: String, at instant: Instant) {
    count = count.addingSaturated(1)
    guard let place = entries.firstIndex(where: { $0.text == text }) else {
      if entries.count >= Self.maxEntries { entries.removeFirst() }
      entries.append(Entry(text: text, count: 1, first: instant, last: instant))
      return
    }
    var entry = entries.remove(at: place)
    entry.count = entry.count.addingSaturated(1)
    entry.last = instant
    entries.append(entry)
  }
}
