/// The trade-off between energy and quality that the parameters of a policy reach.
public struct TuningReport: Hashable, Sendable {
  /// The path of the policy.
  public var policy: String
  /// The name of the device profile; nil for the scenario's choice.
  public var profile: String?
  /// The names of the parameters, in the order of the policy.
  public var parameters: [String]
  /// The result of the written values; nil when the search was interrupted before it was complete.
  public var written: TuningTrial?
  /// The trials that no other trial beats, sorted by energy.
  public var frontier: [TuningTrial]
  /// The trial of the frontier with the largest gain over the written values, on the training tracks alone.
  /// Nil when no trial beats them.
  public var choice: TuningTrial?
  /// The number of tested settings.
  public var trials: Int
  /// The number of settings with which the policy did not load.
  public var refused: Int
  /// The paths of the training tracks, by which settings were chosen.
  public var training: [String]
  /// The paths of the held-out tracks.
  public var heldOut: [String]
  /// False when the search was interrupted.
  public var isWhole: Bool

  /// Returns whether a trial beats the written values on the held-out tracks; nil when it was not tested
  /// there.
  public func isBetterOnHeldOut(_ trial: TuningTrial) -> Bool? {
    guard let own = trial.heldOut, let other = written?.heldOut else { return nil }
    return own.isBetter(other)
  }

  /// Returns whether a trial beats the written values on the training tracks.
  public func isBetter(_ trial: TuningTrial) -> Bool {
    written.map { trial.score.isBetter($0.score) } ?? false
  }

  /// Returns whether a trial beats the written values on the training tracks and on the held-out tracks.
  public func isConfirmed(_ trial: TuningTrial) -> Bool {
    isBetter(trial) && isBetterOnHeldOut(trial) == true
  }

  /// The choice, when no tracks are held out or the held-out tracks confirm it; otherwise nil.
  public var advice: TuningTrial? {
    guard let choice else { return nil }
    return heldOut.isEmpty || isConfirmed(choice) ? choice : nil
  }

  /// Returns the held-out tracks on which, taken alone, a trial beats the written values.
  public func improvedHeldOut(by trial: TuningTrial) -> [String] {
    guard let own = trial.heldOutByTrack, let other = written?.heldOutByTrack else { return [] }
    return heldOut.indices.filter { own[$0].isBetter(other[$0]) }.map { heldOut[$0] }
  }
}
