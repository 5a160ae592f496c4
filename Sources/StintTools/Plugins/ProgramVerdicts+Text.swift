import StintDaemon
import StintFormats
import StintModel

extension ProgramVerdicts {
  /// A line for each rule: kept, broken with the details, or not tried with the reason.
  public var text: String {
    let lines = ProgramCheck.allCases.map { check in
      switch verdict(check) {
      case .kept: "  kept    \(check.rawValue)"
      case .broken(let how): "  broken  \(check.rawValue): \(how)"
      case .untried(let why): "  -       \(check.rawValue): not tried, \(why)"
      }
    }
    let count = broken.count
    let sum =
      count == 0
      ? "every tested rule is kept" : "\(count) \(count == 1 ? "rule is" : "rules are") broken"
    return (["\(device)"] + lines + [sum]).joined(separator: "\n")
  }

  /// One JSON object: the device, and each rule with its verdict.
  public var jsonText: String {
    ReportKind.pluginCheck.text(of: [
      "device": JSONValue(device.path), "conforms": JSONValue(broken.isEmpty),
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
