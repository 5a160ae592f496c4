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
  public var heldBack: [String]
  /// False when it was interrupted.
  public var isWhole: Bool

  /// Whether a trial beats what is written on the tracks that were held back; nil where it was not tried there.
  public func beatsHeldBack(_ trial: TuningTrial) -> Bool? {
    guard let own = trial.heldBack, let other = written?.heldBack else { return nil }
    return own.beats(other)
  }

  /// Whether a trial beats what is written on the tracks that it was chosen by.
  public func beats(_ trial: TuningTrial) -> Bool {
    written.map { trial.score.beats($0.score) } ?? false
  }

  /// Whether a trial beats what is written, on the tracks it was chosen by and on those that were held back.
  public func isConfirmed(_ trial: TuningTrial) -> Bool { beats(trial) && beatsHeldBack(trial) == true }

  /// The choice, unless tracks that were held back speak against it or were not tried.
  public var advice: TuningTrial? {
    guard let choice else { return nil }
    return heldBack.isEmpty || isConfirmed(choice) ? choice : nil
  }

  /// The tracks that were held back on which a trial alone beats what is written.
  public func heldBackBeaten(by trial: TuningTrial) -> [String] {
    guard let own = trial.heldBackByTrack, let other = written?.heldBackByTrack else { return [] }
    return heldBack.indices.filter { own[$0].beats(other[$0]) }.map { heldBack[$0] }
  }
}
