import StintTools

/// `stint replay`.
enum ReplayCommand {
  static let form = CommandForm(
    name: "replay", operands: "JOURNAL", operandCount: 1...1,
    meaning: "repeat a journal's decisions, or try another policy on it",
    detail: """
      Without --policy every decision must come out as it stands in the journal, byte for byte. With it the candidate,
      in place of all policies of the journal, meets the same clients and facts: each decision that flips is shown with
      what it was, the energy both draw, and the times for which the journal cannot know because a sensor was off. The
      exit code is 1 when something flips, or a part of the journal is missing.
      """,
    options: [
      .value("policy", "CANDIDATE", "a policy file or a folder of them"),
      .flag("json", "the result as one JSON object"),
    ],
    run: { arguments, console in
      guard let candidate = arguments.text("policy") else {
        let report = try ReplayReport(journal: arguments.operands[0])
        console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
        return report.isWhole ? .fine : .findings
      }
      let report = try WhatIfReport(journal: arguments.operands[0], candidate: candidate)
      console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
      return report.isFinding ? .findings : .fine
    })
}
