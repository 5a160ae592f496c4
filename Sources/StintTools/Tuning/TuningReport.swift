/// The frontier between energy and quality that the parameters of a policy reach.
public struct TuningReport: Hashable, Sendable {
  public var policy: String
  public var profile: String?
  /// In the order of the policy.
  public var parameters: [String]
  /// As the policy is written; nil when even that was cut short.
  public var written: TuningTrial?
  /// What nothing that was tried beats, by energy.
  public var frontier: [TuningTrial]
  /// The one of the frontier that beats what is written by most; chosen without the tracks that were held back.
  public var choice: TuningTrial?
  /// How many settings were tried, and how many no device would take.
  public var trials: Int
  public var refused: Int
  /// The paths of the tracks that were chosen by, and of those that were held back.
  public var training: [String]
  public var heldOut: [String]
  /// False when it was interrupted.
  public var isWhole: Bool

  /// Whether a trial beats what is written on the tracks that were held back; nil where it was not tried there.
  public func isBetterOnHeldOut(_ trial: TuningTrial) -> Bool? {
    guard let own = trial.heldOut, let other = written?.heldOut else { return nil }
    return own.isBetter(other)
  }

  /// Whether a trial beats what is written on the tracks that it was chosen by.
  public func isBetter(_ trial: TuningTrial) -> Bool {
    written.map { trial.score.isBetter($0.score) } ?? false
  }

  /// Whether a trial beats what is written, on the tracks it was chosen by and on those that were held back.
  public func isConfirmed(_ trial: TuningTrial) -> Bool {
    isBetter(trial) && isBetterOnHeldOut(trial) == true
  }

  /// The choice, unless tracks that were held back speak against it or were not tried.
  public var advice: TuningTrial? {
    guard let choice else { return nil }
    return heldOut.isEmpty || isConfirmed(choice) ? choice : nil
  }

  /// The tracks that were held back on which a trial alone beats what is written.
  public func improvedHeldOut(by trial: TuningTrial) -> [String] {
    guard let own = trial.heldOutByTrack, let other = written?.heldOutByTrack else { return [] }
    return heldOut.indices.filter { own[$0].isBetter(other[$0]) }.map { heldOut[$0] }
  }
}
