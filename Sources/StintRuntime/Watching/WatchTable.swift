/// Which folder the kernel means by which number.
struct WatchTable {
  struct Place: Hashable {
    /// The folder whose files are asked for; nil when it is watched only for what it may contain again.
    var folder: String?
    /// Folders that vanished from it, by their paths.
    var awaited: [String] = []
  }

  private var places: [Int32: Place] = [:]

  func place(of watch: Int32) -> Place { places[watch] ?? Place() }

  mutating func begin(_ folder: String, as watch: Int32) { places[watch, default: Place()].folder = folder }

  mutating func end(_ watch: Int32) { places[watch] = nil }

  mutating func await(_ folder: String, in watch: Int32) {
    places[watch, default: Place()].awaited.append(folder)
  }

  /// Forgets that a folder is awaited; the watches that nobody needs any more, sorted.
  mutating func stopAwaiting(_ folder: String) -> [Int32] {
    var unused: [Int32] = []
    for watch in places.keys.sorted() {
      guard var place = places[watch], place.awaited.contains(folder) else { continue }
      place.awaited.removeAll { $0 == folder }
      let isUnused = place.folder == nil && place.awaited.isEmpty
      places[watch] = isUnused ? nil : place
      if isUnused { unused.append(watch) }
    }
    return unused
  }
}
