/// The names and units that a plugin uses, in the order of its manifest. The plugin sends them once, after
/// `welcome` and before the host opens the device.
///
/// The host compares these names and units with its own copy of the manifest. So the host detects a wrong
/// manifest before the plugin can publish wrong values.
public struct FrameManifest: Hashable, Sendable {
  /// A name with the unit of its numbers; the unit is empty for words and Boolean values.
  public struct Entry: Hashable, Sendable {
    /// The name of the channel or fact, relative to the device; the full path for a fact outside of the
    /// device.
    public var name: String
    /// The symbol of the unit, or an empty string.
    public var unit: String

    /// Makes an entry.
    public init(_ name: String, unit: String = "") {
      self.name = name
      self.unit = unit
    }
  }

  /// The name of the device.
  public var device: String
  /// The names of the power states.
  public var states: [String]
  /// The names of the events.
  public var events: [String]
  /// The channels of a sample.
  public var channels: [Entry]
  /// The facts that the plugin publishes.
  public var facts: [Entry]

  /// Makes the description of a device.
  public init(
    device: String, states: [String] = [], events: [String] = [], channels: [Entry] = [], facts: [Entry] = []
  ) {
    self.device = device
    self.states = states
    self.events = events
    self.channels = channels
    self.facts = facts
  }
}
