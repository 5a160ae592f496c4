public import StintModel
import StintUnits

/// A setting of a demand, a default, a service or a transfer.
public struct SettingDefinition: Sendable {
  /// The places at which a setting is valid.
  public enum Scope: Hashable, Sendable {
    /// Demands on devices whose manifests declare the setting.
    case manifest
    /// Demands on every sensor.
    case sensor
    /// Demands on sensors that buffer samples.
    case queue
    /// Defaults of a device.
    case defaults
    /// Defaults of a device for the services that provide positions.
    case positions
    /// Defaults of a radio, and the start of transfers.
    case transfers
    /// Defaults of the orientation service.
    case orientation
    /// Transfers that a test attaches.
    case test
  }

  /// The name, form and meaning of the setting.
  public let word: LanguageWord
  /// The places at which the setting is valid.
  public let scope: Scope
  /// The type of the setting's values; nil for a string.
  public let type: FactType?

  /// The name of the setting, as written in a policy.
  public var name: String { word.name }

  init(_ name: String, _ scope: Scope, _ type: FactType?, _ meaning: String, example: LanguageExample) {
    let (form, rule): (String, String) =
      switch type {
      case .symbol([])?: ("NAME", "The manifest of the device lists the possible words.")
      case .symbol(let words)?: (words.joined(separator: " | "), "It is one of these words.")
      case .quantity(let dimension)?: ("value", "The value is \(dimension.phrase).")
      case .boolean?: ("NAME", "It is true or false.")
      case nil: ("STRING", "It is a string.")
      }
    word = LanguageWord(
      kind: .setting, name: name, form: "\(name) \(form)", rule: rule, meaning: meaning, example: example)
    self.scope = scope
    self.type = type
  }

  /// The setting as an attribute that a demand may set although no manifest declares it; nil for a string.
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
      "accuracy", .manifest, .quantity(.length),
      "The required accuracy of samples; a smaller value costs more energy.",
      example: .item("default gps { accuracy 10 m }")),
    SettingDefinition(
      "activity", .manifest, .symbol([]),
      "The user's activity, by which the device chooses its operating mode.",
      example: .item("default gps { activity fitness }")),
    SettingDefinition(
      "background", .sensor, onOff, "Whether the demand is active while the app is in the background.",
      example: .item("default gps { background on }")),
    SettingDefinition(
      "latency", .sensor, .quantity(.time),
      "The longest delay of a sample; samples are delivered earlier when the processor is already awake.",
      example: .item("default accel { latency 60 s }")),
    SettingDefinition(
      "linger", .defaults, .quantity(.time), "How long the device stays on after the end of its last demand.",
      example: .item("default gps { linger 5 s }")),
    SettingDefinition(
      "max_age", .defaults, .quantity(.time), "The age at which the device's facts become unknown.",
      example: .item("default gps { max_age 10 s }")),
    SettingDefinition(
      "mode", .queue, .symbol(["push", "pull"]),
      "“push” delivers samples as they arrive; “pull” lets the device buffer samples up to its capacity, so "
        + "that the processor does not wake for them.", example: .item("default accel { mode pull }")),
    SettingDefinition(
      "pause", .sensor, .symbol(["auto", "off"]),
      "Whether the device may pause itself when its measurements do not change.",
      example: .item("default gps { pause auto }")),
    SettingDefinition(
      "rate", .manifest, .quantity(.rate), "The sampling rate.",
      example: .item("default accel { rate 10 Hz }")),
  ]

  private static let serviceSettings: [SettingDefinition] = [
    SettingDefinition(
      "filter", .positions, .quantity(.length),
      "The minimum distance between two positions that a client receives.",
      example: .item("default gps { filter 20 m }")),
    SettingDefinition(
      "fuzz", .positions, onOff, "Whether positions are coarsened to the accuracy that the client requested.",
      example: .item("default gps { fuzz on }")),
    SettingDefinition(
      "heartbeat", .positions, .quantity(.time),
      "The time after which a watch on moves wakes the app although nothing changed; “off” disables this.",
      example: .item("default location.cell { heartbeat 15 min }")),
    SettingDefinition(
      "nested", .orientation, onOff, "Whether orientation stops only after as many end calls as begin calls.",
      example: .item("default orientation { nested on }")),
  ]

  private static let transferSettings: [SettingDefinition] = [
    SettingDefinition(
      "cellular", .transfers, onOff,
      "Whether the transfers of a session may use the cellular radio.",
      example: .item("default cell { session \"sync\"  cellular off }")),
    SettingDefinition(
      "deadline", .test, .quantity(.time), "How long a transfer of a test may wait.",
      example: .test(
        "at 0 s attach \"mail\" on cell with { up 20 kB  deadline 10 min }\n  expect cell is idle at 1 s")),
    SettingDefinition(
      "discretionary", .transfers, onOff, "Whether the system chooses when the transfers of a session run.",
      example: .item("default cell { session \"sync\"  discretionary on }")),
    SettingDefinition(
      "down", .test, .quantity(.data), "The amount of data that a transfer of a test receives.",
      example: .test("at 0 s attach \"mail\" on cell with { down 2 MB }\n  expect cell is idle at 1 s")),
    SettingDefinition(
      "out_of_process", .transfers, onOff,
      "Whether the transfers of a session continue after the client's process has ended.",
      example: .item("default cell { session \"sync\"  out_of_process off }")),
    SettingDefinition(
      "session", .transfers, nil, "The identifier of the transfer session that the block configures.",
      example: .item("default cell { session \"sync\"  discretionary on }")),
    SettingDefinition(
      "up", .test, .quantity(.data), "The amount of data that a transfer of a test sends.",
      example: .test("at 0 s attach \"mail\" on cell with { up 20 kB }\n  expect cell is idle at 1 s")),
  ]

  private static let settingsByName = Dictionary(uniqueKeysWithValues: settings.map { ($0.name, $0) })

  /// Returns the setting of this name; nil when the language does not define it. Manifests may define more
  /// settings.
  public static func setting(_ name: String) -> SettingDefinition? { settingsByName[name] }

  /// Returns the names of the settings of a scope, in alphabetical order.
  static func settingNames(_ scope: SettingDefinition.Scope) -> [String] {
    settings.filter { $0.scope == scope }.map(\.name)
  }
}
