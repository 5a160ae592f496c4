import StintDaemon
import StintFormats
import StintModel

extension ProgramVerdicts {
  /// A line for each check: kept, broken with the details, or not tried with the reason. The last line has
  /// the classes and the counts.
  public var text: String {
    let missing = missing
    let lines = ProgramCheck.allCases.map { check in
      switch verdict(check) {
      case .kept: "  kept    \(check.rawValue)"
      case .broken(let how): "  broken  \(check.rawValue): \(how)"
      case .untried(let why):
        missing.contains(check)
          ? "  missing  \(check.rawValue): not tried, although its class requires it: \(why)"
          : "  -       \(check.rawValue): not tried, \(why)"
      }
    }
    return (["\(device)"] + lines + [sum]).joined(separator: "\n")
  }

  private var sum: String {
    let names = classes.map(\.name).joined(separator: ", ")
    let result =
      conforms
      ? "no check failed"
      : [
        (broken.count, broken.count == 1 ? "check failed" : "checks failed"),
        (
          missing.count,
          missing.count == 1 ? "essential check was not tried" : "essential checks were not tried"
        ),
      ].filter { $0.0 > 0 }.map { count, words in "\(count) \(words)" }.joined(separator: ", ")
    return
      "class \(names.isEmpty ? "none" : names): \(tried) of \(ProgramCheck.allCases.count) checks were tried; "
      + result
  }

  /// One JSON object: the device, its classes, and each check with its verdict.
  public var jsonText: String {
    ReportKind.pluginCheck.text(of: [
      "device": JSONValue(device.path), "classes": JSONValue(classes.map { JSONValue($0.name) }),
      "conforms": JSONValue(conforms), "tried": JSONValue(Int64(tried)),
      "missing": JSONValue(missing.map { JSONValue("\($0)") }),
      "checks": JSONValue(
        ProgramCheck.allCases.map { check -> JSONValue in
          switch verdict(check) {
          case .kept: ["check": JSONValue("\(check)"), "verdict": "kept"]
          case .broken(let how):
            ["check": JSONValue("\(check)"), "verdict": "broken", "reason": JSONValue(how)]
          case .untried(let why):
            ["check": JSONValue("\(check)"), "verdict": "untried", "reason": JSONValue(why)]
          }
        }),
    ])
  }
}
