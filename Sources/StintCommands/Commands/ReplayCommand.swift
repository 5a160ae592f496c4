import StintModel
import StintPluginKit
import StintTools
import StintUnits

enum ReplayCommand {
  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "replay", operands: "JOURNAL", operandCount: 1...1,
      meaning: "repeat a journal's decisions, or try another policy on it",
      example: "stint replay day.journal --policy new.stint",
      detail: """
        Without --policy every decision must equal the one in the journal, byte for byte. With --policy the
        candidate replaces all policies of the journal and gets the same clients and facts. The report shows
        each different decision beside the original decision, the energy under the original and the candidate,
        and the periods for which the journal has no data because a sensor was off. With --site or
        --manifests, the candidate may also use devices and facts that the journal does not have; their values
        are unknown. When JOURNAL is a daemon's folder of journals, each start of the daemon is replayed
        separately, with its own result. The exit code is 1 when a decision differs, or a part of the journal
        is missing or damaged; everything before the damage is used.
        """,
      options: [
        .value("policy", "CANDIDATE", "a policy file or a folder of policies"),
        .flag("json", "print one JSON object per line, one for each start of the daemon"),
      ]
        + DeviceOptions.definitions.map { option in
          option.needing("policy", "without a candidate, a journal is replayed with its own devices")
        },
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    var devices: Vocabulary?
    if arguments.isGiven("site") || arguments.isGiven("manifests") {
      devices = try DeviceOptions.vocabulary(arguments, linked)
    }
    var ending = ExitCode.fine
    for journal in try ReplayReport.journals(at: arguments.operands[0]) {
      let (text, json, isFinding): (String, String, Bool)
      if let candidate = arguments.text("policy") {
        let report = try WhatIfReport(journal: journal, candidate: candidate, adding: devices)
        (text, json, isFinding) = (report.text(console.resultPaint), report.jsonText, report.isFinding)
      } else {
        let report = try ReplayReport(journal: journal)
        (text, json, isFinding) = (report.text(console.resultPaint), report.jsonText, !report.isWhole)
      }
      console.result(arguments.has("json") ? json : text)
      if isFinding { ending = .findings }
    }
    return ending
  }
}
