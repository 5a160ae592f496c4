public import StintUnits

/// The values of one fact or channel of a simulated device over time: an entry of `values` in a scenario.
///
/// ```json
/// {"of": "ambient.temperature.temperature",
///  "sine": {"mean": "15 C", "swing": "6 C", "period": "24 h", "peak": "15 h"},
///  "noise": {"sd": "0.2 C", "seed": 7}}
/// ```
/// `of` is the path of a fact, or the name of a device, a dot and the name of a channel. A channel and a fact
/// with the same name have the same values. An entry has one of these shapes; its times count from the start:
///
/// - `"constant": "20 C"`, or a word, true or false; for a channel of bytes hexadecimal digits, as in
///   `"0a1f"`
/// - `"ramp": {"from": "10 C", "to": "30 C", "over": "2 h", "repeat": true}`; without `repeat`, the last
///   value remains
/// - `"sine": {"mean": …, "swing": …, "period": …, "peak": …}`; `peak` is the time of a maximum, by default
///   0 s
/// - `"steps": [{"at": "1 h", "to": "5 C"}]`; before the first step, the value is unknown
/// - `"csv": {"file": "room.csv", "column": "temperature", "unit": "C", "repeat": true}`; the column `t_s`
///   has the seconds since the start, and each value remains until the time of the next row. A relative path
///   begins in the folder of the scenario. With `repeat`, the table starts again at the time of the last row.
///
/// `noise` adds an approximately normal error with the standard deviation `sd` to a quantity. Without a
/// `seed`, it uses the seed of the run. Each result is limited to the range of its fact.
public struct ScriptedValue: Hashable, Sendable {
  /// A change of the value at a time since the start.
  public struct Step: Hashable, Sendable {
    /// The time since the start.
    public var at: TimeSpan
    /// The value as in the file: a quantity, a word, `true`, `false` or `unknown`.
    public var text: String

    /// Makes a step.
    public init(at: TimeSpan, text: String) {
      self.at = at
      self.text = text
    }
  }

  /// The value without its noise.
  public enum Shape: Hashable, Sendable {
    /// The values of steps, in order of time.
    case steps([Step])
    /// A linear change from one quantity to another, both as in the file.
    case ramp(from: String, to: String, over: TimeSpan, isRepeated: Bool)
    /// A sine wave with its largest value at `peak`; the quantities are as in the file.
    case sine(mean: String, swing: String, period: TimeSpan, peak: TimeSpan)
    /// A column of a CSV file. `unit` is the unit symbol of a column of numbers; nil for a column of words.
    case table(file: String, column: String, unit: String?, isRepeated: Bool)
  }

  /// An error that is added to a quantity.
  public struct Noise: Hashable, Sendable {
    /// The standard deviation, as in the file.
    public var deviation: String
    /// The seed; nil for the seed of the run.
    public var seed: UInt64?

    /// Makes an error.
    public init(deviation: String, seed: UInt64? = nil) {
      self.deviation = deviation
      self.seed = seed
    }
  }

  /// The path of the fact, or the device and the channel.
  public var path: String
  /// The value without its noise.
  public var shape: Shape
  /// The noise; nil when the value has no noise.
  public var noise: Noise?

  /// Makes the values of a fact or channel.
  public init(path: String, shape: Shape, noise: Noise? = nil) {
    self.path = path
    self.shape = shape
    self.noise = noise
  }
}
