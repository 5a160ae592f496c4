public import StintModel
public import StintUnits

/// What a simulated run came to.
public struct SimulationReport: Hashable, Sendable {
  /// The paths of the policies, in order; empty for none.
  public var policies: [String]
  public var scenario: String
  /// The path of the track, if one took the place of the scenario's world.
  public var trace: String?
  public var seed: UInt64
  /// Whose figures the devices have.
  public var profile: String
  public var duration: TimeSpan
  public var ledger: Ledger
  /// By client that streams: what it was handed.
  public var deliveries: [ClientID: DeliveryCount]
  /// By device that yields positions.
  public var accuracy: [DeviceID: AccuracyRecord]
  public var wakeups: WakeupCount
  public var transfers: TransferCount
  /// By rule, those that never acted included.
  public var rules: [RuleID: RuleActivity]
  /// Positions that clients were handed.
  public var fixes: Int
  /// Decisions of the governor: grants and settings that changed.
  public var decisions: Int
  /// Over the decision log, in hexadecimal.
  public var decisionLogHash: String
  /// Time that a device spent on without a complete cause.
  public var unexplained: TimeSpan
  /// Why the journal is not whole; nil when it is, or none was asked for.
  public var journalProblem: Problem?
  /// What a report page shows; nil where none was asked for.
  public var timeline: RunTimeline?

  /// Makes a report; what is left out is nothing.
  public init(
    policies: [String], scenario: String, trace: String? = nil, seed: UInt64, profile: String,
    duration: TimeSpan, ledger: Ledger, deliveries: [ClientID: DeliveryCount] = [:],
    accuracy: [DeviceID: AccuracyRecord] = [:], wakeups: WakeupCount = WakeupCount(),
    transfers: TransferCount = TransferCount(), rules: [RuleID: RuleActivity] = [:], fixes: Int = 0,
    decisions: Int = 0, decisionLogHash: String, unexplained: TimeSpan = .zero,
    journalProblem: Problem? = nil, timeline: RunTimeline? = nil
  ) {
    self.policies = policies
    self.scenario = scenario
    self.trace = trace
    self.seed = seed
    self.profile = profile
    self.duration = duration
    self.ledger = ledger
    self.deliveries = deliveries
    self.accuracy = accuracy
    self.wakeups = wakeups
    self.transfers = transfers
    self.rules = rules
    self.fixes = fixes
    self.decisions = decisions
    self.decisionLogHash = decisionLogHash
    self.unexplained = unexplained
    self.journalProblem = journalProblem
    self.timeline = timeline
  }

  /// What people call the run: `none`, or the policies' file names without folder and ending.
  public var title: String {
    guard !policies.isEmpty else { return "none" }
    return policies.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return name.hasSuffix(".stint") ? String(name.dropLast(6)) : name
    }.joined(separator: " + ")
  }

  /// Where the run took place: the track if there was one, else the scenario.
  public var place: String { trace ?? scenario }
}
