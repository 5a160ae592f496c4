public import StintUnits

/// A family of facts: `keys` is the largest number of its keys, and its path ends with `.*`. The facts of the
/// family differ only in the last word of their paths, the *key*, such as `4711` in `sensor.tag.4711`.
extension FactSchema {
  /// The last word of the path of a family.
  public static let familySuffix = ".*"

  /// True for a family of facts, false for a single fact.
  public var isFamily: Bool { keys != nil }

  /// Returns the fact of a family with this key.
  public func keyed(_ key: String) -> FactSchema {
    var schema = self
    schema.path = path(ofKey: key)
    schema.keys = nil
    return schema
  }

  /// Returns the path of the fact of a family with this key.
  public func path(ofKey key: String) -> String { path.dropLast() + key }

  /// Returns the key of a path that belongs to this family; nil for every other path.
  public func key(of path: String) -> String? {
    guard isFamily, path.hasPrefix(self.path.dropLast()) else { return nil }
    let key = String(path.dropFirst(self.path.count - 1))
    return Self.isKey(key) ? key : nil
  }

  /// Returns whether this is the schema of the fact with this path, or of its family.
  public func declares(_ path: String) -> Bool { isFamily ? key(of: path) != nil : self.path == path }

  /// Returns the reason to refuse a further key of a family that has all its keys.
  public func refusal(ofKey key: String) -> String {
    "\(path) has \(keys ?? 0) keys, as its manifest declares, so the key “\(key)” is refused"
  }

  /// Returns whether a word can be a key: 1 to `InputBounds.key` ASCII letters, digits and underscores.
  public static func isKey(_ word: String) -> Bool {
    1...InputBounds.key ~= word.utf8.count
      && word.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
      }
  }
}

/// The known keys of one family of facts, each with its last value.
///
/// A key is known until its value becomes unknown. While the family has as many keys as its manifest
/// declares, a further key is refused. Keys whose values are older than the maximum age make room for it.
public struct FactKeys: Hashable, Sendable {
  /// A key with its last value, which is not unknown.
  public struct Entry: Hashable, Sendable {
    /// The key, which is the last word of the path.
    public var key: String
    /// The last value.
    public var value: FactValue
    /// The instant of the last value.
    public var instant: Instant
  }

  /// The known keys, sorted.
  public private(set) var entries: [Entry] = []

  /// Makes a family without known keys.
  public init() {}

  /// Returns the entry of a key; nil while its value is unknown.
  public subscript(key: String) -> Entry? {
    let place = place(of: key)
    return place < entries.count && entries[place].key == key ? entries[place] : nil
  }

  /// Sets the value of a key. Returns false when the family has no room for a further key.
  ///
  /// - Precondition: instants do not decrease.
  public mutating func set(
    _ key: String, _ value: FactValue, of family: FactSchema, at now: Instant
  ) -> Bool {
    var place = place(of: key)
    if place < entries.count, entries[place].key == key {
      if value == .unknown {
        entries.remove(at: place)
      } else {
        (entries[place].value, entries[place].instant) = (value, now)
      }
      return true
    }
    if value == .unknown { return true }
    if entries.count >= family.keys ?? 0 {
      guard let maxAge = family.maxAge else { return false }
      entries.removeAll { now - $0.instant > maxAge }
      guard entries.count < family.keys ?? 0 else { return false }
      place = self.place(of: key)
    }
    entries.insert(Entry(key: key, value: value, instant: now), at: place)
    return true
  }

  /// Returns the index of a key, or the index at which it would be inserted.
  private func place(of key: String) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
