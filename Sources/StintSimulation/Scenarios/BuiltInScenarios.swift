public import StintFormats
public import StintModel

/// The scenarios that ship with Stint.
public enum BuiltInScenarios {
  /// Their names, sorted.
  public static let names = ["commute", "day-hike", "quiet", "sixty-messages", "tracker", "warehouse-shift"]

  /// The scenario of this name.
  ///
  /// - Throws: when there is none; never for one of `names`, which a test reads all.
  public static func scenario(named name: String) throws(FormatErrors) -> Scenario {
    guard let bytes = BuiltInFiles.scenarios[name] else {
      throw FormatErrors(
        FormatError(
          .unknownName, source: name, cause: "no built-in scenario is named “\(name)”",
          step: "there are: \(names.joined(separator: ", ")); or name a scenario file"))
    }
    return try ScenarioReader.scenario(of: bytes, source: "\(name).json")
  }

  /// The JSON text of a scenario; empty when there is none of this name.
  public static func text(named name: String) -> String {
    String(decoding: BuiltInFiles.scenarios[name] ?? [], as: UTF8.self)
  }
}
