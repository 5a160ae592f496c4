import StintUnits

/// How often something happens within an hour at most, wherever that hour begins.
enum Pace: Hashable, Sendable {
  case atMost(Int)
  /// Nothing bounds it, because of what the text says.
  case unbounded(String)

  static let never = Pace.atMost(0)

  /// Things of two kinds together.
  static func + (left: Pace, right: Pace) -> Pace {
    switch (left, right) {
    case (.atMost(let first), .atMost(let second)): .atMost(Swift.min(first + second, 1_000_000_000))
    case (.unbounded, _): left
    case (_, .unbounded): right
    }
  }

  /// The better of two bounds of the same things.
  static func min(_ left: Pace, _ right: Pace) -> Pace {
    switch (left, right) {
    case (.atMost(let first), .atMost(let second)): .atMost(Swift.min(first, second))
    case (.unbounded(let reason), .unbounded): reason.isEmpty ? right : left
    case (.unbounded, _): right
    case (_, .unbounded): left
    }
  }

  static func sum(_ paces: some Sequence<Pace>) -> Pace { paces.reduce(.never, +) }

  /// Things between each two of which lies at least so much time.
  static func spaced(_ span: TimeSpan, else reason: String = "") -> Pace {
    guard span > .zero else { return .unbounded(reason) }
    return .atMost(Int(TimeSpan.hours(1).nanoseconds / span.nanoseconds) + 1)
  }

  /// Every other of them, the first included.
  var halved: Pace {
    switch self {
    case .atMost(let count): .atMost((count + 1) / 2)
    case .unbounded: self
    }
  }

  /// Whether it never happens.
  var isNever: Bool { self == .never }
}
