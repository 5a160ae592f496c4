/// A number of batches and the number of samples in them.
public struct Tally: Hashable, Sendable {
  /// The number of batches.
  public var batches = 0
  /// The number of samples in all of these batches.
  public var samples = 0

  /// Zero batches and zero samples.
  public static let none = Tally()

  /// Adds batches and samples separately.
  public static func + (left: Tally, right: Tally) -> Tally {
    Tally(batches: left.batches + right.batches, samples: left.samples + right.samples)
  }
  /// Adds batches and samples separately.
  public static func += (left: inout Tally, right: Tally) { left = left + right }
}
