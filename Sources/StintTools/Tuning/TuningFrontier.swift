import StintUnits

/// Which trials are worth looking at.
enum TuningFrontier {
  /// Those that none beats, by energy; of equals the first.
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

  /// The trial that gains most over what is written, in energy times quality: the one in the middle of those that
  /// beat it, and so the likeliest to beat it elsewhere too. Where nothing gains in both, the one that gains most in
  /// energy, then in quality. Nil when nothing beats what is written.
  static func choice(among trials: [TuningTrial], over written: TuningTrial) -> TuningTrial? {
    var best: (gain: Gain, trial: TuningTrial)?
    for trial in trials where trial.score.isBetter(written.score) {
      let gain = Gain(of: trial.score, over: written.score)
      if best.map({ $0.gain < gain }) ?? true { best = (gain, trial) }
    }
    return best?.trial
  }

  /// How much better a score is than one that it beats.
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
