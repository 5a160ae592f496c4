public import StintModel
public import StintUnits

/// Compiled policies in the form that the rule VM runs. The compiler creates an image; only the verifier's
/// result may run.
public struct Image: Hashable, Sendable {
  /// The facts that conditions read.
  public var facts: [ImageFact] = []
  /// The devices that conditions test for active demands (`demanded`).
  public var devices: [DeviceID] = []
  /// Numbers that the code refers to by index.
  public var constants: [Double] = []
  /// Time spans that the code refers to by index.
  public var spans: [TimeSpan] = []
  /// Local-time schedules that the code refers to by index.
  public var schedules: [ImageSchedule] = []
  /// The instructions of all conditions. Rules and directives refer to ranges of this array.
  public var code: [Instruction] = []
  /// The temporal operators, one slot each. The rule VM stores the state of an operator under the index of
  /// its slot.
  public var slots: [ImageSlot] = []
  /// The rules in the order of their definition. The index of a rule is its position in this array.
  public var rules: [ImageRule] = []
  /// The directives of all rules, grouped by rule.
  public var directives: [ImageDirective] = []
  /// The one-time actions of all rules, grouped by rule.
  public var acts: [Act] = []
  /// Pairs of rules. While the winner is active, the loser has no effect on the devices that both rules
  /// target.
  public var overrides: [ImageOverride] = []

  /// Creates an image without rules.
  public init() {}

  /// Returns the index of the slot of a temporal operator, for explanations.
  ///
  /// - Parameters:
  ///   - rule: The rule that contains the operator.
  ///   - place: The range of the operator in the policy file, in UTF-8 offsets.
  /// - Returns: nil when the rule has no temporal operator at that range.
  public func slot(of rule: RuleID, at place: Range<Int>) -> Int? {
    slots.firstIndex { $0.key.rule == rule && $0.place == place }
  }
}

/// A fact that an image reads.
public struct ImageFact: Hashable, Sendable {
  /// The index of the fact in the vocabulary. In an `ImageFile`, the index into `ImageFingerprints.facts`.
  public var number: Int
  /// The age at which a value becomes unknown; nil when values never expire.
  public var maxAge: TimeSpan?

  /// Creates an entry.
  public init(number: Int, maxAge: TimeSpan?) {
    self.number = number
    self.maxAge = maxAge
  }
}

/// A set of time windows in local time.
public struct ImageSchedule: Hashable, Sendable {
  /// A window of local time. It extends past midnight when `to` is not later than `from`.
  public struct Window: Hashable, Sendable {
    /// Seven flags from Monday to Sunday: true when the window begins on that weekday.
    public var days: [Bool]
    /// The beginning, as time since local midnight: at least 0 and less than 24 h.
    public var from: TimeSpan
    /// The end, as time since local midnight: at least 0 and at most 24 h.
    public var to: TimeSpan

    /// Creates a window. `days` must have seven entries.
    public init(days: [Bool], from: TimeSpan, to: TimeSpan) {
      self.days = days
      self.from = from
      self.to = to
    }
  }

  /// The windows of the schedule. The schedule is active when local time lies in at least one of them.
  public var windows: [Window]

  /// Creates a schedule.
  public init(windows: [Window]) { self.windows = windows }
}

/// A pair of rules in which the winner overrides the loser. `winner` and `loser` are indexes into
/// `Image.rules`.
public struct ImageOverride: Hashable, Sendable {
  /// The index of the rule that takes precedence.
  public var winner: Int
  /// The index of the rule that is overridden.
  public var loser: Int

  /// Creates a pair.
  public init(winner: Int, loser: Int) {
    self.winner = winner
    self.loser = loser
  }
}
