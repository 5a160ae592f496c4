public import StintModel
import StintUnits

/// A setting of a demand, a default, a service or a transfer.
public struct SettingDefinition: Sendable {
  /// Where it may stand.
  public enum Scope: Hashable, Sendable {
    /// Devices whose manifests have it.
    case manifest
    /// Demands on every sensor.
    case sensor
    /// Demands on sensors that keep samples.
    case queue
    /// Defaults of a device.
    case defaults
    /// Defaults of a device for the services that give positions.
    case positions
    /// Defaults of a radio, and starts of transfers.
    case transfers
    /// Defaults of orientation.
    case orientation
    /// Transfers that a test attaches.
    case test
  }

  public let word: LanguageWord
  public let scope: Scope
  /// What its values are; nil for a text.
  public let type: FactType?

  public var name: String { word.name }

  init(_ name: String, _ scope: Scope, _ type: FactType?, _ meaning: String, example: LanguageExample) {
    let (form, rule): (String, String) =
      switch type {
      case .symbol([])?: ("NAME", "Its words are those of the device's manifest.")
      case .symbol(let words)?: (words.joined(separator: " | "), "It is one of these words.")
      case .quantity(let dimension)?: ("value", "The value is \(dimension.phrase).")
      case .boolean?: ("NAME", "It is true or false.")
      case nil: ("STRING", "It is a text.")
      }
    word = LanguageWord(
      kind: .setting, name: name, form: "\(name) \(form)", rule: rule, meaning: meaning, example: example)
    self.scope = scope
    self.type = type
  }

  /// What a demand may say by it where no manifest has it.
  var general: AttributeSchema? {
    guard let type else { return nil }
    if case .quantity = type {
      return AttributeSchema(name: name, type: type, range: 0...Double.greatestFiniteMagnitude)
    }
    return AttributeSchema(name: name, type: type)
  }
}

extension LanguageDefinition {
  /// Every setting, in alphabetical order.
  public static let settings: [SettingDefinition] =
    (demandSettings + serviceSettings + transferSettings).sorted { $0.name < $1.name }

  private static let onOff = FactType.symbol(["on", "off"])

  private static let demandSettings: [SettingDefinition] = [
    SettingDefinition(
      "accuracy", .manifest, .quantity(.length), "How exact samples must be; a smaller one costs more.",
      example: .item("default gps { accuracy 10 m }")),
    SettingDefinition(
      "activity", .manifest, .symbol([]), "What one does; it lets the device choose how to work.",
      example: .item("default gps { activity fitness }")),
    SettingDefinition(
      "background", .sensor, onOff, "Whether the demand holds while the app is in the background.",
      example: .item("default gps { background on }")),
    SettingDefinition(
      "latency", .sensor, .quantity(.time),
      "How late a sample may be delivered; it comes sooner where the processor is up anyway.",
      example: .item("default accel { latency 60 s }")),
    SettingDefinition(
      "linger", .defaults, .quantity(.time), "How long the device stays on after its last demand.",
      example: .item("default gps { linger 5 s }")),
    SettingDefinition(
      "max_age", .defaults, .quantity(.time), "How old the device's facts may grow before they are unknown.",
      example: .item("default gps { max_age 10 s }")),
    SettingDefinition(
      "mode", .queue, .symbol(["push", "pull"]),
      "push, to have samples handed over as they come; pull, to have the device keep what it has room for, so that "
        + "the processor does not wake for it.", example: .item("default accel { mode pull }")),
    SettingDefinition(
      "pause", .sensor, .symbol(["auto", "off"]),
      "Whether the device may rest by itself when nothing changes.",
      example: .item("default gps { pause auto }")),
    SettingDefinition(
      "rate", .manifest, .quantity(.rate), "How often samples come.",
      example: .item("default accel { rate 10 Hz }")),
  ]

  private static let serviceSettings: [SettingDefinition] = [
    SettingDefinition(
      "filter", .positions, .quantity(.length),
      "How many metres lie between two positions that a client gets.",
      example: .item("default gps { filter 20 m }")),
    SettingDefinition(
      "fuzz", .positions, onOff, "Whether a client gets positions no finer than it asked.",
      example: .item("default gps { fuzz on }")),
    SettingDefinition(
      "heartbeat", .positions, .quantity(.time),
      "How often a watch on moves wakes the app when nothing changes; off for never.",
      example: .item("default location.cell { heartbeat 15 min }")),
    SettingDefinition(
      "nested", .orientation, onOff, "Whether it takes as many ends of orientation as there were begins.",
      example: .item("default orientation { nested on }")),
  ]

  private static let transferSettings: [SettingDefinition] = [
    SettingDefinition(
      "cellular", .transfers, onOff,
      "Whether a byte of a session of transfers may ever go over the cellular radio.",
      example: .item("default cell { session \"sync\"  cellular off }")),
    SettingDefinition(
      "deadline", .test, .quantity(.time), "How long a transfer that a test attaches may wait.",
      example: .test(
        "at 0 s attach \"mail\" on cell with { up 20 kB  deadline 10 min }\n  expect cell is idle at 1 s")),
    SettingDefinition(
      "discretionary", .transfers, onOff, "Whether the system picks the moment of a session's transfers.",
      example: .item("default cell { session \"sync\"  discretionary on }")),
    SettingDefinition(
      "down", .test, .quantity(.data), "How much a transfer that a test attaches receives.",
      example: .test("at 0 s attach \"mail\" on cell with { down 2 MB }\n  expect cell is idle at 1 s")),
    SettingDefinition(
      "out_of_process", .transfers, onOff,
      "Whether sessions of transfers go on when their client's process is gone.",
      example: .item("default cell { session \"sync\"  out_of_process on }")),
    SettingDefinition(
      "session", .transfers, nil, "The session of transfers that the block is about, by its identifier.",
      example: .item("default cell { session \"sync\"  discretionary on }")),
    SettingDefinition(
      "up", .test, .quantity(.data), "How much a transfer that a test attaches sends.",
      example: .test("at 0 s attach \"mail\" on cell with { up 20 kB }\n  expect cell is idle at 1 s")),
  ]

  private static let settingsByName = Dictionary(uniqueKeysWithValues: settings.map { ($0.name, $0) })

  /// The setting of this name; nil where no such setting is known to the language itself.
  public static func setting(_ name: String) -> SettingDefinition? { settingsByName[name] }

  /// The names of the settings of a scope, in alphabetical order.
  static func settingNames(_ scope: SettingDefinition.Scope) -> [String] {
    settings.filter { $0.scope == scope }.map(\.name)
  }
}
