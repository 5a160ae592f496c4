public import StintMachine
public import StintModel

/// What the governor is governed by: a verified image and the defaults of its policies.
public struct Program: Sendable {
  public var image: VerifiedImage
  /// One for each device at most, sorted.
  public var defaults: [DeviceDefaults]
  /// What the conditions read beside published facts; the image was compiled with the vocabulary that computes it.
  public var computed: [ComputedFact]

  /// Joins the defaults of several policies by device.
  public init(image: VerifiedImage, defaults: [DeviceDefaults], computed: [ComputedFact] = []) {
    self.image = image
    self.computed = computed
    var joined: [DeviceID: DeviceDefaults] = [:]
    for item in defaults { joined[item.device] = joined[item.device]?.merged(with: item) ?? item }
    self.defaults = joined.values.sorted { $0.device < $1.device }
  }
}
