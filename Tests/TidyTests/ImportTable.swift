/// The permitted imports of each module. The table of `ARCHITECTURE.md` is a copy for readers.
enum ImportTable {
  /// A module with the modules of this package that it may import.
  struct Row: Sendable, CustomStringConvertible {
    let module: String
    let mayImport: Set<String>
    /// True for a core module, which is pure. Besides the modules of its row, a core module imports only the
    /// standard library and `Synchronization`.
    let isCore: Bool

    var description: String { module }
  }

  static let rows: [Row] = [
    core("StintUnits"),
    core("StintModel", "Units"),
    core("StintLanguage", "Units", "Model"),
    core("StintAuthoring", "Units", "Model", "Language"),
    core("StintMachine", "Units", "Model"),
    core("StintCompiler", "Units", "Model", "Language", "Machine"),
    core("StintEstimation", "Units", "Model"),
    core("StintGovernor", "Units", "Model", "Machine", "Estimation"),
    core("StintServices", "Units", "Model"),
    core("StintBus", "Units", "Model"),
    edge("StintSystem"),
    edge("StintFormats", "Units", "Model", "System"),
    edge("StintTracks", "Units", "Model", "System", "Formats"),
    Row(module: "CStintChecks", mayImport: [], isCore: true),
    Row(
      module: "StintJournal", mayImport: ["StintUnits", "StintModel", "StintSystem", "CStintChecks"],
      isCore: false),
    Row(module: "CStintPlugin", mayImport: [], isCore: true),
    edge("StintPluginKit", "Units", "Model", "System", "Formats"),
    edge("StintDBus", "Units", "Model", "System", "PluginKit"),
    Row(module: "CStintProcess", mayImport: [], isCore: true),
    Row(
      module: "StintPluginHost",
      mayImport: [
        "StintUnits", "StintModel", "StintSystem", "StintPluginKit", "StintBus", "CStintPlugin",
        "CStintProcess",
      ],
      isCore: false),
    edge("StintSimulation", "Units", "Model", "Services", "PluginKit", "Formats", "Tracks"),
    Row(module: "CStintRuntime", mayImport: [], isCore: true),
    Row(
      module: "StintRuntime",
      mayImport: [
        "StintUnits", "StintModel", "StintLanguage", "StintMachine", "StintCompiler", "StintGovernor",
        "StintServices", "StintBus", "StintFormats", "StintJournal", "StintPluginKit", "StintPluginHost",
        "StintSystem", "CStintRuntime",
      ],
      isCore: false),
    edge(
      "StintReplay", "Units", "Model", "Language", "Governor", "Services", "Formats", "Journal", "Runtime"),
    edge(
      "StintDaemon", "Units", "Model", "Language", "Governor", "Services", "Bus", "Formats", "Journal",
      "PluginKit", "PluginHost", "Runtime", "System"),
    edge(
      "Stint", "Units", "Model", "Language", "Estimation", "Governor", "Services", "Bus", "Formats",
      "Journal",
      "PluginKit", "PluginHost", "Runtime", "Daemon"),
    edge(
      "StintTools", "Units", "Model", "Language", "Machine", "Compiler", "Governor", "Bus", "Services",
      "Formats", "Journal", "PluginKit", "PluginHost", "Runtime", "Simulation", "Daemon", "System",
      "Authoring", "Tracks", "Replay"),
    edge("StintLanguageServer", "Units", "Model", "Language", "Authoring", "Formats"),
    edge(
      "StintCommands", "Units", "Model", "Formats", "Language", "LanguageServer", "PluginKit", "Runtime",
      "Daemon", "Tools", "System"),
    edge("StintMain", "Commands", "Gpsd", "IIO", "PowerSupply"),
    edge(
      "StintTestSupport", "Units", "Model", "Language", "Machine", "Compiler", "Governor", "PluginKit",
      "PluginHost", "Runtime"),
    Row(module: "CStintEscapes", mayImport: [], isCore: true),
    Row(
      module: "StintLab",
      mayImport: [
        "StintUnits", "StintModel", "StintLanguage", "StintMachine", "StintCompiler", "StintGovernor",
        "StintBus", "StintServices", "StintFormats", "StintJournal", "StintPluginKit", "StintPluginHost",
        "StintRuntime", "StintSimulation", "StintDaemon", "StintTools", "StintCommands", "StintTestSupport",
        "Stint", "StintTracks", "StintReplay", "CStintEscapes",
      ],
      isCore: false),
    edge("StintLabMain", "Lab"),
  ]

  /// Plugins for real hardware, each a folder under Plugins. They may import only the modules for third-party
  /// plugins, the formats, and the message bus.
  static let plugins: [Row] = [
    edge("StintGpsd", "Units", "Model", "Formats", "PluginKit"),
    edge("StintIIO", "Units", "Model", "Formats", "PluginKit"),
    edge("StintPowerSupply", "Units", "Model", "Formats", "PluginKit", "DBus"),
    // A program of its own. Its main file imports the carrier, which imports the interface of libcurl.
    Row(
      module: "StintTransfers",
      mayImport: ["StintUnits", "StintModel", "StintFormats", "StintPluginKit", "CCurl", "Transfers"],
      isCore: false),
  ]

  /// The modules of the toolchain that every module may import. Modules outside of the core may also import
  /// `atTheEdges`. Foundation is in neither set.
  static let everywhere: Set<String> = ["Swift", "Synchronization"]
  static let atTheEdges: Set<String> = ["Glibc", "Musl", "Darwin"]

  private static func core(_ module: String, _ others: String...) -> Row {
    Row(module: module, mayImport: Set(others.map { "Stint" + $0 }), isCore: true)
  }

  private static func edge(_ module: String, _ others: String...) -> Row {
    Row(module: module, mayImport: Set(others.map { "Stint" + $0 }), isCore: false)
  }
}
