import StintUnits

/// Time, event counts and energy of devices, by state or event and by cause.
struct EnergyAccounts: Hashable, Sendable {
  struct Key: Hashable, Sendable, Comparable {
    /// The device's index in the vocabulary.
    var device: Int
    /// A state index, or -1 - N for event N.
    var kind: Int
    /// The shape of the cause, from `CauseTable.shapes`. Causes that differ only in demand ids have the same
    /// shape.
    var shape: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.device, left.kind, left.shape) < (right.device, right.kind, right.shape)
    }
  }

  struct Entry: Hashable, Sendable {
    var key: Key
    /// The number of spans or of events.
    var times = 0
    /// The total time of the spans; zero for events.
    var length = TimeSpan.zero
    var energy = Energy.zero
  }

  private var entries: [Key: Entry] = [:]

  mutating func add(_ key: Key, times: Int, length: TimeSpan, energy: Energy) {
    var entry = entries[key] ?? Entry(key: key)
    entry.times += times
    entry.length += length
    entry.energy += energy
    entries[key] = entry
  }

  /// The entries, highest energy first.
  var sorted: [Entry] { entries.values.sorted { ($1.energy, $0.key) < ($0.energy, $1.key) } }
}
