/// What a plugin believes that its numbers mean, said once before it is opened: names and units in their order.
///
/// A plugin that was written for another manifest is found out here, not by wrong values.
public struct FrameManifest: Hashable, Sendable {
  /// A name with the unit of its numbers; the unit is empty for words and truth.
  public struct Entry: Hashable, Sendable {
    public var name: String
    public var unit: String

    /// Makes an entry.
    public init(_ name: String, unit: String = "") {
      self.name = name
      self.unit = unit
    }
  }

  public var device: String
  public var states: [String]
  public var events: [String]
  public var channels: [Entry]
  public var facts: [Entry]

  /// Makes one.
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
