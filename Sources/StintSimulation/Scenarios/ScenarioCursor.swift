import StintModel
import StintUnits

/// Where a series of events of a scenario stands.
struct ScenarioCursor: Comparable, Sendable {
  enum Kind: Hashable, Sendable {
    case change(Int)
    case demand(client: Int, Int)
    case release(DemandID)
    case service(client: Int, Int)
    case end(client: Int, Int)
    case transfer(client: Int, Int, number: Int)
  }

  /// When its next event comes, since the start.
  let at: TimeSpan
  /// Its place in the file.
  let order: Int
  let kind: Kind

  static func < (left: ScenarioCursor, right: ScenarioCursor) -> Bool {
    (left.at, left.order) < (right.at, right.order)
  }
}
