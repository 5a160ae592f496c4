import CStintProcess
import StintModel
import StintUnits

/// A system call that a plugin's process made and was refused.
public struct CallAttempt: Hashable, Sendable {
  /// The name of the call.
  public var call: String
  /// How often it was made.
  public var count: UInt64
}

/// The refused calls of a plugin, counted by name; bounded, whatever the process does.
struct CallAttempts: Hashable, Sendable {
  /// How many names are kept apart.
  private static let mostNames = 128
  /// How many refused calls may come at once, and how many more with each second: each wakes the host.
  private static let burst: Int64 = 1_000

  private var counts: [String: UInt64] = [:]
  private var left = burst
  private var refilled: Instant?

  /// The calls, by name.
  var list: [CallAttempt] {
    counts.sorted { $0.key < $1.key }.map { CallAttempt(call: $0.key, count: $0.value) }
  }

  /// Begins another life of the process; what was counted stays.
  mutating func begin(at now: Instant) {
    left = Self.burst
    refilled = now
  }

  /// Counts a call.
  ///
  /// - Throws: when more calls were refused than a process needs that tries what it may.
  mutating func note(_ number: Int32, at now: Instant) throws(ChildFailure) {
    let name = Self.name(number)
    let key = counts[name] != nil || counts.count < Self.mostNames ? name : "others"
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
    guard number >= 0 else { return "a call of another processor" }
    return stint_call_name(number).map { String(cString: $0) } ?? "call \(number)"
  }
}
