/// How many batches, and how many samples in them.
public struct Tally: Hashable, Sendable {
  public var batches: Int
  public var samples: Int

  /// Counts nothing yet, unless told otherwise.
  public init(batches: Int = 0, samples: Int = 0) {
    self.batches = batches
    self.samples = samples
  }

  public static let none = Tally()

  public static func + (left: Tally, right: Tally) -> Tally {
    Tally(batches: left.batches + right.batches, samples: left.samples + right.samples)
  }
  public static func += (left: inout Tally, right: Tally) { left = left + right }
}
