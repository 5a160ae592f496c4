public import StintModel
public import StintUnits

/// Policies as the machine runs them: plain data, made by the compiler, trusted only after the verifier.
public struct Image: Hashable, Sendable {
  /// The facts that conditions read.
  public var facts: [ImageFact] = []
  /// The devices whose demands conditions ask for.
  public var devices: [DeviceID] = []
  public var constants: [Double] = []
  public var spans: [TimeSpan] = []
  public var schedules: [ImageSchedule] = []
  public var code: [Instruction] = []
  public var slots: [ImageSlot] = []
  public var rules: [ImageRule] = []
  public var directives: [ImageDirective] = []
  public var acts: [Act] = []
  /// Where the winner holds, the loser is put aside for the targets that both name.
  public var overrides: [ImageOverride] = []

  /// Makes an empty image: no rules at all.
  public init() {}

  /// The slot of the temporal operator at this place of this rule; for explanations.
  public func slot(of rule: RuleID, at place: Range<Int>) -> Int? {
    slots.firstIndex { $0.key.rule == rule && $0.place == place }
  }
}

/// A fact that an image reads.
public struct ImageFact: Hashable, Sendable {
  /// Its number in the vocabulary.
  public var number: Int
  /// How long a value stands; nil for ever.
  public var maxAge: TimeSpan?

  /// Makes an entry.
  public init(number: Int, maxAge: TimeSpan?) {
    self.number = number
    self.maxAge = maxAge
  }
}

/// Windows of local time.
public struct ImageSchedule: Hashable, Sendable {
  /// One window; past midnight when `to` is not after `from`.
  public struct Window: Hashable, Sendable {
    /// By weekday from Monday: whether the window begins on it.
    public var days: [Bool]
    public var from: TimeSpan
    public var to: TimeSpan

    /// Makes a window; `days` has seven entries.
    public init(days: [Bool], from: TimeSpan, to: TimeSpan) {
      self.days = days
      self.from = from
      self.to = to
    }
  }

  public var windows: [Window]

  /// Makes a schedule.
  public init(windows: [Window]) { self.windows = windows }
}

/// A pair of rules of which one puts the other aside; indexes into `rules`.
public struct ImageOverride: Hashable, Sendable {
  public var winner: Int
  public var loser: Int

  /// Makes a pair.
  public init(winner: Int, loser: Int) {
    self.winner = winner
    self.loser = loser
  }
}
