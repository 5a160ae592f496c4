/// The result of tuning the parameters of a policy: the trials with the best trade-offs between energy and
/// quality.
public struct TuningReport: Hashable, Sendable {
  /// The path of the policy.
  public var policy: String
  /// The name of the device profile; nil for the scenario's choice.
  public var profile: String?
  /// The names of the parameters, in the order of the policy.
  public var parameters: [String]
  /// The trial of the values in the policy; nil when the search was interrupted before this trial was
  /// complete.
  public var written: TuningTrial?
  /// The trials that no other trial beats, sorted by energy.
  public var frontier: [TuningTrial]
  /// The trial with the largest product of energy gain and quality gain over `written`, on the training
  /// tracks alone (see `TuningFrontier.choice`). Nil when no trial beats `written`.
  public var choice: TuningTrial?
  /// The number of tested parameter sets.
  public var trials: Int
  /// The number of parameter sets with which the policy did not load.
  public var refused: Int
  /// The paths of the training tracks, on which parameter sets were compared.
  public var training: [String]
  /// The paths of the held-out tracks.
  public var heldOut: [String]
  /// False when the search was interrupted.
  public var isWhole: Bool

  /// Returns whether a trial beats `written` on the held-out tracks; nil when it was not tested there.
  public func isBetterOnHeldOut(_ trial: TuningTrial) -> Bool? {
    guard let own = trial.heldOut, let other = written?.heldOut else { return nil }
    return own.isBetter(other)
  }

  /// Returns whether a trial beats `written` on the training tracks.
  public func isBetter(_ trial: TuningTrial) -> Bool {
    written.map { trial.score.isBetter($0.score) } ?? false
  }

  /// Returns whether a trial beats `written` on the training tracks and on the held-out tracks.
  public func isConfirmed(_ trial: TuningTrial) -> Bool {
    isBetter(trial) && isBetterOnHeldOut(trial) == true
  }

  /// The choice, if no tracks are held out or if the held-out tracks confirm the choice. Nil in all other
  /// cases.
  public var advice: TuningTrial? {
    guard let choice else { return nil }
    return heldOut.isEmpty || isConfirmed(choice) ? choice : nil
  }

  /// Returns the held-out tracks on which a trial beats `written`. Each track is compared separately.
  public func improvedHeldOut(by trial: TuningTrial) -> [String] {
    guard let own = trial.heldOutByTrack, let other = written?.heldOutByTrack else { return [] }
    return heldOut.indices.filter { own[$0].isBetter(other[$0]) }.map { heldOut[$0] }
  }
}
