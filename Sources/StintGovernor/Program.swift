public import StintMachine
public import StintModel

/// What the governor is governed by: a verified image and the defaults of its policies.
public struct Program: Sendable {
  public var image: VerifiedImage { didSet { plan = RuleVMPlan(image) } }
  /// What machines need that run it; made here, before anything stops for the exchange.
  private(set) var plan: RuleVMPlan
  /// One for each device at most, sorted.
  public var defaults: [DeviceDefaults]
  /// What the conditions read beside published facts; the image was compiled with the vocabulary that computes it.
  public var computed: [ComputedFact]
  /// What leads from state to state in machines, in the order in which they are tried.
  public var moves: [StateTransition]
  /// The rules that each demand is asked by itself; nil when there are none.
  public var clientImage: VerifiedImage? {
    didSet { clientPlan = clientImage.map { RuleVMPlan($0) } }
  }
  private(set) var clientPlan: RuleVMPlan?

  /// Joins the defaults of several policies by device.
  public init(
    image: VerifiedImage, defaults: [DeviceDefaults], computed: [ComputedFact] = [],
    moves: [StateTransition] = [], clientImage: VerifiedImage? = nil
  ) {
    self.image = image
    self.clientImage = clientImage
    plan = RuleVMPlan(image)
    clientPlan = clientImage.map { RuleVMPlan($0) }
    self.computed = computed
    self.moves = moves
    var joined: [DeviceID: DeviceDefaults] = [:]
    for item in defaults { joined[item.device] = joined[item.device]?.merged(with: item) ?? item }
    self.defaults = joined.values.sorted { $0.device < $1.device }
  }
}
