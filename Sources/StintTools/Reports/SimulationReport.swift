public import StintDaemon
public import StintModel
public import StintUnits

/// The results of a simulated run.
public struct SimulationReport: Hashable, Sendable {
  /// The paths of the policies, in order; empty for a run without policies.
  public var policies: [String]
  /// The name of a built-in scenario or the path of a scenario file.
  public var scenario: String
  /// The path of the track that replaced the scenario's world; nil without a track.
  public var trace: String?
  /// The path of the site file whose devices were simulated; nil for the phone.
  public var site: String?
  /// The seed of the run's random numbers.
  public var seed: UInt64
  /// The name of the device profile that supplied the power figures.
  public var profile: String
  /// The simulated time.
  public var duration: TimeSpan
  /// The energy by device, client and rule.
  public var ledger: Ledger
  /// Deliveries by client, for clients that stream.
  public var deliveries: [ClientID: DeliveryCount]
  /// Accuracy by device, for devices that publish positions.
  public var accuracy: [DeviceID: AccuracyRecord]
  /// The processor's wake-ups.
  public var wakeups: WakeupCount
  /// The radios' transfers.
  public var transfers: TransferCount
  /// Activity by rule, including rules that were never active.
  public var rules: [RuleID: RuleActivity]
  /// The evaluation of requirements during the run. Requirements that the checker proved are not evaluated.
  public var requirements: [RuleID: RequirementActivity]
  /// The number of positions that clients received.
  public var fixes: Int
  /// The number of decisions of the governor: the lines of the decision log.
  public var decisions: Int
  /// The SHA-256 of the decision log, in hexadecimal.
  public var decisionLogHash: String
  /// The time during which a device was on without a complete cause.
  public var unexplained: TimeSpan
  /// The refused requests and inputs with their times since the start, oldest first; at most 100.
  public var refusals: [String]
  /// The reason why the journal is incomplete. Nil when the journal is complete or was not requested.
  public var journalProblem: Problem?
  /// The reason why the plan is not written. Nil when it is written or was not requested.
  public var planProblem: Problem?
  /// The data of a report page; nil when no page was requested.
  public var timeline: RunTimeline?

  /// Creates a report; the defaults are empty or zero.
  public init(
    policies: [String], scenario: String, trace: String? = nil, site: String? = nil, seed: UInt64,
    profile: String, duration: TimeSpan, ledger: Ledger, deliveries: [ClientID: DeliveryCount] = [:],
    accuracy: [DeviceID: AccuracyRecord] = [:], wakeups: WakeupCount = WakeupCount(),
    transfers: TransferCount = TransferCount(), rules: [RuleID: RuleActivity] = [:],
    requirements: [RuleID: RequirementActivity] = [:], fixes: Int = 0,
    decisions: Int = 0, decisionLogHash: String, unexplained: TimeSpan = .zero,
    refusals: [String] = [], journalProblem: Problem? = nil, timeline: RunTimeline? = nil
  ) {
    self.policies = policies
    self.scenario = scenario
    self.trace = trace
    self.site = site
    self.seed = seed
    self.profile = profile
    self.duration = duration
    self.ledger = ledger
    self.deliveries = deliveries
    self.accuracy = accuracy
    self.wakeups = wakeups
    self.transfers = transfers
    self.rules = rules
    self.requirements = requirements
    self.fixes = fixes
    self.decisions = decisions
    self.decisionLogHash = decisionLogHash
    self.unexplained = unexplained
    self.refusals = refusals
    self.journalProblem = journalProblem
    self.timeline = timeline
  }

  /// The display name of the run: `none`, or the policies' file names without folder and extension.
  public var title: String {
    guard !policies.isEmpty else { return "none" }
    return policies.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return name.hasSuffix(".stint") ? String(name.dropLast(6)) : name
    }.joined(separator: " + ")
  }

  /// The name of the run's world: the track if there is one, otherwise the scenario.
  public var place: String { trace ?? scenario }
}
