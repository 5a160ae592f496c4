import CStintProcess
import StintModel
import StintUnits

/// A denied system call of a plugin's process.
public struct CallAttempt: Hashable, Sendable {
  /// The name of the system call.
  public var call: String
  /// The number of times that processes of the plugin made the call.
  public var count: UInt64
}

/// The denied system calls of a plugin, counted by name. The memory is bounded.
struct CallAttempts: Hashable, Sendable {
  /// The maximum number of distinct names; calls with other names are counted together as `others`.
  private static let maxNames = 128
  /// The number of denied calls that a process may make at once; each second allows one further denied call.
  /// The limit exists because each denied call wakes the host.
  private static let burst: Int64 = 1_000

  private var counts: [String: UInt64] = [:]
  /// The number of further denied calls that the process may make at once.
  private var left = burst
  /// The instant at which `left` was last reset or increased; nil before the first process.
  private var refilled: Instant?

  /// The counted calls, sorted by name.
  var list: [CallAttempt] {
    counts.sorted { $0.key < $1.key }.map { CallAttempt(call: $0.key, count: $0.value) }
  }

  /// Resets the rate limit for another process of the plugin; the counts remain.
  mutating func begin(at now: Instant) {
    left = Self.burst
    refilled = now
  }

  /// Counts a call.
  ///
  /// - Throws: a `flood` failure when the process exceeds the rate limit of denied calls.
  mutating func note(_ number: Int32, at now: Instant) throws(ChildFailure) {
    let name = Self.name(number)
    let key = counts[name] != nil || counts.count < Self.maxNames ? name : "others"
    counts[key, default: 0] += 1
    let seconds = max(now - (refilled ?? now), .zero).nanoseconds / 1_000_000_000
    if seconds > 0 {
      left = min(Self.burst, left + seconds)
      refilled = now
    }
    left -= 1
    guard left >= 0 else {
      throw ChildFailure(
        .flood, "made more than \(Self.burst) system calls that are refused, the last of them \(name)")
    }
  }

  private static func name(_ number: Int32) -> String {
    guard number >= 0 else { return "a system call of another architecture" }
    return stint_call_name(number).map { String(cString: $0) } ?? "call \(number)"
  }
}
