public import StintUnits

/// The operating mode that the host requests from a device. A setting is complete: it replaces the previous
/// setting of the device as a whole.
public struct Setting: Hashable, Sendable, CustomStringConvertible {
  /// Whether the device is on.
  public var isOn: Bool
  /// The 95 % radius, in metres; nil when nothing specifies it.
  public var accuracy: Double?
  /// The time between two samples; nil when nothing specifies it.
  public var period: TimeSpan?
  /// True when samples stay in the device until they are drained or the device is full.
  public var isHolding: Bool
  /// True when no client waits for the samples in the device.
  ///
  /// A device whose buffer is full then overwrites its oldest samples instead of waking the processor. A
  /// device that cannot overwrite samples delivers them when its buffer is full.
  public var keepsNewest: Bool
  /// A value of the device's `activity` attribute; nil when nothing specifies it.
  public var activity: String?
  /// The values of the attributes that only the device's manifest defines.
  public var attributes = AttributeValues()

  /// Makes a setting.
  public init(
    isOn: Bool, accuracy: Double? = nil, period: TimeSpan? = nil, isHolding: Bool = false,
    keepsNewest: Bool = false, activity: String? = nil
  ) {
    self.isOn = isOn
    self.accuracy = accuracy
    self.period = period
    self.isHolding = isHolding
    self.keepsNewest = keepsNewest
    self.activity = activity
  }

  /// The setting of a device that is off.
  public static let off = Setting(isOn: false)

  public var description: String {
    guard isOn else { return "off" }
    var text = "on"
    if let accuracy { text += ", accuracy \(Quantity(accuracy, .length))" }
    if let period { text += ", every \(period)" }
    if isHolding { text += ", holding" }
    if keepsNewest { text += ", keeping the newest" }
    if let activity { text += ", \(activity)" }
    if !attributes.isEmpty { text += ", \(attributes.text)" }
    return text
  }
}

/// A device's report of its actual behaviour.
public enum Outcome: Hashable, Sendable {
  /// The device entered a power state, given as an index into the manifest's states. `period` is the time
  /// between two samples; nil when the device takes no samples.
  case state(Int, period: TimeSpan?)
  /// A priced event, given as an index into the manifest's events, happened `count` times.
  case event(Int, count: Int)
  /// The device could not apply its setting; the reason is attached.
  case fault(String)
}
