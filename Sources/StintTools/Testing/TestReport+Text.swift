import StintLanguage
import StintModel
import StintUnits

extension TestReport {
  /// Returns the report as text for people: a line for each test, and a timeline for each failed expectation.
  public func text(_ paint: Paint = .plain) -> String {
    var lines: [String] = []
    for file in files {
      lines.append(paint.strong(file.file))
      if file.outcomes.isEmpty, file.skipped.isEmpty { lines.append("  " + paint.quiet("no test")) }
      for outcome in file.outcomes { lines += text(of: outcome, in: file.file, paint) }
      for test in file.skipped {
        lines.append("  \(paint.quiet("skip"))  \(test.title)")
        lines.append("        missing: \(test.missingDevices.joined(separator: ", "))")
      }
      if let coverage = file.coverage { lines += text(of: coverage, in: file.file, paint) }
      if let mutants = file.mutants { lines += text(of: mutants, in: file.file, paint) }
    }
    let passed = outcomes.count - failures
    let skipText = skips == 0 ? "" : ", \(skips) skipped"
    lines.append(
      failures == 0
        ? paint.good("\(passed) passed") + skipText
        : "\(passed) passed, " + paint.bad("\(failures) failed") + skipText)
    return lines.joined(separator: "\n")
  }

  private func text(of outcome: TestOutcome, in file: String, _ paint: Paint) -> [String] {
    let mark = outcome.hasPassed ? paint.good("pass") : paint.bad("FAIL")
    var lines = ["  \(mark)  \(outcome.test.title)"]
    for miss in outcome.misses { lines += text(of: miss, in: file, paint) }
    for violation in outcome.violations {
      lines.append("        violated at \(violation.at): require \(violation.text)")
    }
    lines += outcome.refusals.map { "        refused: \($0)" }
    return lines
  }

  private func text(of miss: TestOutcome.FailedExpectation, in file: String, _ paint: Paint) -> [String] {
    let place = place(miss.expectation.span, in: file)
    var lines = ["        \(file):\(place.line): \(place.text)", "        \(sentence(miss))"]
    let width = miss.timeline.map { "\($0.at)".count }.max() ?? 0
    for entry in miss.timeline {
      lines.append("          " + paint.quiet(TextTable.pad("\(entry.at)", to: width)) + "  " + entry.text)
    }
    return lines
  }

  private func sentence(_ miss: TestOutcome.FailedExpectation) -> String {
    let expectation = miss.expectation
    let moment =
      expectation.from == expectation.until
      ? "at \(expectation.until)" : "at no time from \(expectation.from) to \(expectation.until)"
    switch miss.failure {
    case .notTrue(let isUnknown):
      let isInstant = expectation.from == expectation.until
      return isInstant ? "it was \(isUnknown ? "unknown" : "false") \(moment)" : "it was true \(moment)"
    case .notBecause(let rule, let inForce):
      let names =
        inForce.isEmpty
        ? "no rule was in force"
        : "the rules in force were \(inForce.map(\.description).joined(separator: ", "))"
      return "it was true, but not because of \(rule): \(names)"
    }
  }

  private func text(of coverage: TestCoverage, in file: String, _ paint: Paint) -> [String] {
    let rules = coverage.rules - coverage.rulesNeverInForce.count
    var lines = [
      "  rules     \(rules) of \(coverage.rules)",
      "  branches  \(coverage.branchesSeen) of \(coverage.branches)",
    ]
    lines += coverage.rulesNeverInForce.map { "    never in force: \($0)" }
    for gap in coverage.gaps {
      let place = place(gap.span, in: file)
      let never = gap.wasTrue ? "never false" : gap.wasFalse ? "never true" : "neither true nor false"
      lines.append("    line \(place.line): \(place.text): \(never)")
    }
    return lines
  }

  private func text(of mutants: [Mutant], in file: String, _ paint: Paint) -> [String] {
    let killed = mutants.count { $0.killedBy != nil }
    let share = mutants.isEmpty ? 100 : killed * 100 / mutants.count
    var lines = ["  mutants   \(killed) of \(mutants.count) detected (\(share) %)"]
    for mutant in mutants where mutant.killedBy == nil {
      let place = place(mutant.mutation.span, in: file)
      lines.append("    " + paint.notable("survived") + " line \(place.line): \(mutant.mutation.text)")
    }
    return lines
  }
}
