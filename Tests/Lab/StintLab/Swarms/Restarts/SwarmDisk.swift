import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// A simulated disk in memory. Its content is the only state that survives a crash of the daemon.
final class SwarmDisk: ServicesKeeper {
  private struct State {
    var services: [UInt8]?
    var governor: GovernorMemory?
    var isFull = false
    /// True when the last write of service state failed because the disk was full.
    var isBehind = false
    /// True when the daemon crashes at its next write of service state.
    var crashesAtNextWrite = false
    var hasCrashed = false
  }

  private let state = Locked(State())
  private let file = ServicesFile("services.json")

  /// True when the daemon that writes to the disk has crashed; its later actions are ignored.
  var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

  /// True when the disk was full at the last write, so the disk lacks the latest service state.
  var isBehind: Bool { state.withLock { $0.isBehind } }

  func keep(_ content: [UInt8], report: @escaping @Sendable (Problem?) -> Void) {
    do throws(Problem) {
      try keep(content)
    } catch {
      return report(error)
    }
    report(nil)
  }

  /// Saves the state of services. When the disk is full or the daemon has crashed, throws and keeps the
  /// previous content.
  func keep(_ content: [UInt8]) throws(Problem) {
    let cause = state.withLock { state -> String? in
      if state.crashesAtNextWrite || state.hasCrashed {
        state.hasCrashed = true
        return "the daemon died"
      }
      state.isBehind = state.isFull
      if state.isFull { return "the disk is full" }
      state.services = content
      return nil
    }
    guard let cause else { return }
    throw Problem(.full, place: file.path, cause: cause, remedy: "free some space")
  }

  /// Saves the state of the governor. When the disk is full or the daemon has crashed, the previous
  /// content stays.
  func keep(_ memory: GovernorMemory) {
    state.withLock { if !$0.isFull, !$0.hasCrashed { $0.governor = memory } }
  }

  func note(isFull: Bool) { state.withLock { $0.isFull = isFull } }

  // MARK: Crashes

  /// Makes the daemon crash instead of completing its next write of service state.
  func crashAtNextWrite() { state.withLock { $0.crashesAtNextWrite = true } }

  /// Makes the daemon crash now.
  func crash() { state.withLock { $0.hasCrashed = true } }

  /// Prepares the disk for the next daemon.
  func restart() {
    state.withLock { state in
      state.crashesAtNextWrite = false
      state.isBehind = false
      state.hasCrashed = false
    }
  }

  /// Decodes the saved state of services in the same way as the next daemon. Returns nil before the first
  /// save.
  func services() throws(Problem) -> SavedServices? {
    guard let bytes = content else { return nil }
    return try file.services(in: bytes)
  }

  /// The content of the services file; nil before the first save.
  var content: [UInt8]? { state.withLock { $0.services } }

  var governor: GovernorMemory? { state.withLock { $0.governor } }

  /// Whether the disk contains exactly this state of the services.
  func has(_ services: SavedServices) -> Bool {
    do throws(Problem) { return content == (try ServicesFile.content(for: services)) } catch { return false }
  }
}
