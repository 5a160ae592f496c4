import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// The disk of a swarm's phone, in memory: what the daemon keeps on it outlives the daemon's death, and
/// nothing else does.
final class SwarmDisk: ServicesKeeper {
  private struct State {
    var services: [UInt8]?
    /// What those bytes say.
    var memory: MemoryValue?
    var governor: GovernorMemory?
    var isFull = false
    /// Whether the last write found no room: the daemon goes on, and what it tells since is not kept.
    var isBehind = false
    /// Whether the daemon dies at its next write.
    var isDoomed = false
    var isDead = false
  }

  private let state = Locked(State())
  private let file = ServicesFile("services.json")

  /// Whether the daemon that writes to it is dead; nothing that it still does counts.
  var isDead: Bool { state.withLock { $0.isDead } }

  /// Whether it has less than the daemon told, because there was no room for it.
  var isBehind: Bool { state.withLock { $0.isBehind } }

  func keep(_ memory: MemoryValue) throws(Problem) {
    let bytes = ServicesFile.bytes(of: memory)
    let cause = state.withLock { state -> String? in
      if state.isDoomed || state.isDead {
        state.isDead = true
        return "the daemon died"
      }
      state.isBehind = state.isFull
      if state.isFull { return "the disk is full" }
      state.services = bytes
      state.memory = memory
      return nil
    }
    guard let cause else { return }
    throw Problem(.full, place: file.path, cause: cause, remedy: "make room")
  }

  /// What the governor remembers, as the daemon keeps it now and then; a full disk keeps what it had.
  func keep(_ memory: GovernorMemory) {
    state.withLock { if !$0.isFull, !$0.isDead { $0.governor = memory } }
  }

  func note(isFull: Bool) { state.withLock { $0.isFull = isFull } }

  // MARK: Deaths

  /// The daemon dies at its next write, in place of it.
  func failAtNextWrite() { state.withLock { $0.isDoomed = true } }

  /// The daemon dies now.
  func fail() { state.withLock { $0.isDead = true } }

  /// Another daemon begins.
  func revive() {
    state.withLock { state in
      state.isDoomed = false
      state.isBehind = false
      state.isDead = false
    }
  }

  /// What services left, read as the next daemon reads it.
  func services() throws(Problem) -> MemoryValue? {
    guard let bytes = state.withLock({ $0.services }) else { return nil }
    return try file.memory(of: bytes)
  }

  var governor: GovernorMemory? { state.withLock { $0.governor } }

  /// Whether it has exactly what the services remember.
  func has(_ memory: MemoryValue) -> Bool { state.withLock { $0.memory } == memory }
}
