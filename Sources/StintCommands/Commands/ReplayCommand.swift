import StintTools

/// `stint replay`.
enum ReplayCommand {
  static let form = CommandForm(
    name: "replay", operands: "JOURNAL", operandCount: 1...1,
    meaning: "repeat a journal's decisions, or try another policy on it",
    detail: """
      Without --policy every decision must come out as it stands in the journal, byte for byte. With it the candidate,
      in place of all policies of the journal, meets the same clients and facts: each decision that flips is shown with
      what it was, the energy both draw, and the times for which the journal cannot know because a sensor was off. A
      folder of a daemon's starts is taken start by start, each with its own result. The exit code is 1 when something
      flips, or a part of the journal is missing or damaged; all that is whole before damage is taken.
      """,
    options: [
      .value("policy", "CANDIDATE", "a policy file or a folder of them"),
      .flag("json", "the result as one JSON object a line, one for each start"),
    ],
    run: { arguments, console in
      var ending = ExitCode.fine
      for journal in try ReplayReport.journals(at: arguments.operands[0]) {
        let (text, json, isFinding): (String, String, Bool)
        if let candidate = arguments.text("policy") {
          let report = try WhatIfReport(journal: journal, candidate: candidate)
          (text, json, isFinding) = (report.text(console.resultPaint), report.jsonText, report.isFinding)
        } else {
          let report = try ReplayReport(journal: journal)
          (text, json, isFinding) = (report.text(console.resultPaint), report.jsonText, !report.isWhole)
        }
        console.result(arguments.has("json") ? json : text)
        if isFinding { ending = .findings }
      }
      return ending
    })
}
