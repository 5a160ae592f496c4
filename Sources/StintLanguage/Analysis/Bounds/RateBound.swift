import StintUnits

/// An upper bound on the number of events within any one hour.
package enum RateBound: Hashable, Sendable {
  case atMost(Int)
  /// No bound exists; the string gives the reason.
  case unbounded(String)

  package static let never = RateBound.atMost(0)

  /// Returns the bound on two kinds of events together: those of `left` and those of `right`.
  package static func + (left: RateBound, right: RateBound) -> RateBound {
    switch (left, right) {
    case (.atMost(let first), .atMost(let second)): .atMost(Swift.min(first + second, 1_000_000_000))
    case (.unbounded, _): left
    case (_, .unbounded): right
    }
  }

  /// Returns the lower of two bounds that apply to the same events.
  package static func min(_ left: RateBound, _ right: RateBound) -> RateBound {
    switch (left, right) {
    case (.atMost(let first), .atMost(let second)): .atMost(Swift.min(first, second))
    case (.unbounded(let reason), .unbounded): reason.isEmpty ? right : left
    case (.unbounded, _): right
    case (_, .unbounded): left
    }
  }

  static func sum(_ paces: some Sequence<RateBound>) -> RateBound { paces.reduce(.never, +) }

  /// Returns the bound on events with at least `span` between any two of them; unbounded for a span of 0.
  static func spaced(_ span: TimeSpan, else reason: String = "") -> RateBound {
    guard span > .zero else { return .unbounded(reason) }
    return .atMost(Int(TimeSpan.hours(1).nanoseconds / span.nanoseconds) + 1)
  }

  /// The bound when only every second event counts: the first, the third, and so on.
  var halved: RateBound {
    switch self {
    case .atMost(let count): .atMost((count + 1) / 2)
    case .unbounded: self
    }
  }

  /// True when no event can happen.
  package var isNever: Bool { self == .never }
}
