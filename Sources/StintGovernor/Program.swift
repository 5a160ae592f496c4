public import StintMachine
public import StintModel

/// The policies that the governor runs: a verified image and the policies' defaults for devices.
public struct Program: Sendable {
  /// The verified image of all rules.
  public var image: VerifiedImage { didSet { plan = RuleVMPlan(image) } }
  /// Tables for the rule VMs of the image. They are built together with the program, so a reload need not
  /// wait for them.
  private(set) var plan: RuleVMPlan
  /// The defaults of devices, at most one entry per device, sorted by device.
  public var defaults: [DeviceDefaults]
  /// The facts that the governor computes for the policies. The image was compiled with a vocabulary that
  /// contains these facts.
  public var computed: [ComputedFact]
  /// The transitions of state machines, in the order in which the governor tries them.
  public var moves: [StateTransition]
  /// The image of the rules that are evaluated once per demand; nil without such rules.
  public var perDemandImage: VerifiedImage? {
    didSet { perDemandPlan = perDemandImage.map { RuleVMPlan($0) } }
  }
  private(set) var perDemandPlan: RuleVMPlan?

  /// Creates a program. Merges several defaults of one device. In compiled policies there is only one per
  /// device, because the compiler merges the defaults by the costs in the manifests.
  public init(
    image: VerifiedImage, defaults: [DeviceDefaults], computed: [ComputedFact] = [],
    moves: [StateTransition] = [], perDemandImage: VerifiedImage? = nil
  ) {
    self.image = image
    self.perDemandImage = perDemandImage
    plan = RuleVMPlan(image)
    perDemandPlan = perDemandImage.map { RuleVMPlan($0) }
    self.computed = computed
    self.moves = moves
    self.defaults = DeviceDefaults.joined(defaults, vocabulary: nil)
  }
}
