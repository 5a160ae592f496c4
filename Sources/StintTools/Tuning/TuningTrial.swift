/// A parameter set, which has one value for each tuned parameter, with its scores.
public struct TuningTrial: Hashable, Sendable {
  /// The value of each parameter in the spelling of the policy, in the order of the policy.
  public var values: [String]
  /// The index of each value in its parameter's choices.
  var place: [Int]
  /// The score on each training track.
  public var byTrack: [TuningScore]
  /// The sum of the scores on the training tracks.
  public var score: TuningScore
  /// The score on each held-out track; nil when the set was not tested on these tracks.
  public var heldOutByTrack: [TuningScore]?
  /// The sum of the scores on the held-out tracks; nil when the set was not tested on these tracks.
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
