import StintUnits

/// Selects the best trials.
enum TuningFrontier {
  /// Returns the trials that no other trial beats, sorted by energy. Of equal trials, the first is kept.
  static func of(_ trials: [TuningTrial]) -> [TuningTrial] {
    var best: [TuningTrial] = []
    let sorted = trials.enumerated().sorted { left, right in
      if left.element.score.energy != right.element.score.energy {
        return left.element.score.energy < right.element.score.energy
      }
      if left.element.score.quality != right.element.score.quality {
        return left.element.score.quality > right.element.score.quality
      }
      return left.offset < right.offset
    }
    for (_, trial) in sorted where trial.score.quality > best.last?.score.quality ?? -1 { best.append(trial) }
    return best
  }

  /// Returns the trial with the largest product of energy gain and quality gain over `written`. Of equal
  /// products, the larger energy gain decides, and then the larger quality gain. Nil when no trial beats
  /// `written`.
  ///
  /// `written` is the trial with the values that the policy contains. The product is large for a trial with a
  /// large gain in energy and in quality. Such a trial is likely to be better on other tracks, too.
  static func choice(among trials: [TuningTrial], over written: TuningTrial) -> TuningTrial? {
    var best: (gain: Gain, trial: TuningTrial)?
    for trial in trials where trial.score.isBetter(written.score) {
      let gain = Gain(of: trial.score, over: written.score)
      if best.map({ $0.gain < gain }) ?? true { best = (gain, trial) }
    }
    return best?.trial
  }

  /// The gains of a score that beats the score of the values in the policy.
  private struct Gain: Comparable {
    let energy: Double
    let quality: Double

    init(of score: TuningScore, over written: TuningScore) {
      energy = Double((written.energy - score.energy).nanojoules)
      quality = score.quality - written.quality
    }

    static func < (left: Gain, right: Gain) -> Bool {
      let areas = (left.energy * left.quality, right.energy * right.quality)
      if areas.0 != areas.1 { return areas.0 < areas.1 }
      return (left.energy, left.quality) < (right.energy, right.quality)
    }
  }
}
