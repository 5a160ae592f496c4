/// One setting of the parameters, and what came of it.
public struct TuningTrial: Hashable, Sendable {
  /// By parameter, in the order of the policy: as the policy would spell it.
  public var values: [String]
  /// Which of each parameter's choices these are.
  var place: [Int]
  /// By track that was chosen by, and their sum.
  public var byTrack: [TuningScore]
  public var score: TuningScore
  /// By track that was held back, and their sum; nil where it was not tried there.
  public var heldOutByTrack: [TuningScore]?
  public var heldOut: TuningScore?

  init(
    values: [String], place: [Int], byTrack: [TuningScore], heldOutByTrack: [TuningScore]? = nil
  ) {
    self.values = values
    self.place = place
    self.byTrack = byTrack
    score = .sum(byTrack)
    self.heldOutByTrack = heldOutByTrack
    heldOut = heldOutByTrack.map { .sum($0) }
  }
}
