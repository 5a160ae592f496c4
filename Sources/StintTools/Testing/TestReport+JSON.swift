import StintDaemon
public import StintFormats
import StintLanguage
import StintModel
import StintUnits

extension TestReport {
  /// The report as `stint test --json` prints it. Later versions only add members.
  public var json: JSONValue {
    [
      "passed": JSONValue(outcomes.count - failures), "failed": JSONValue(failures),
      "skipped": JSONValue(skips), "files": JSONValue(files.map(json)),
    ]
  }

  /// The report as one line of JSON.
  public var jsonText: String { ReportKind.test.text(of: json) }

  private func json(_ file: File) -> JSONValue {
    [
      "file": JSONValue(file.file), "policy": JSONValue(file.policy),
      "tests": JSONValue(file.outcomes.map { json($0, in: file.file) }),
      "skipped": JSONValue(
        file.skipped.map { test -> JSONValue in
          [
            "title": JSONValue(test.title), "line": JSONValue(place(test.span, in: file.file).line),
            "missing": JSONValue(test.missingDevices.map { JSONValue($0) }),
          ]
        }),
      "coverage": file.coverage.map { json($0, in: file.file) } ?? .null,
      "mutants": file.mutants.map { mutants in JSONValue(mutants.map { json($0, in: file.file) }) } ?? .null,
    ]
  }

  private func json(_ outcome: TestOutcome, in file: String) -> JSONValue {
    [
      "title": JSONValue(outcome.test.title), "passed": JSONValue(outcome.hasPassed),
      "line": JSONValue(place(outcome.test.span, in: file).line),
      "misses": JSONValue(
        outcome.misses.map { miss -> JSONValue in
          let place = place(miss.expectation.span, in: file)
          return [
            "line": JSONValue(place.line), "expectation": JSONValue(place.text),
            "timeline": JSONValue(miss.timeline.map(json)),
          ]
        }),
      "violations": JSONValue(outcome.violations.map(json)),
      "refusals": JSONValue(outcome.refusals.map { JSONValue($0) }),
    ]
  }

  private func json(_ entry: TestOutcome.Entry) -> JSONValue {
    ["at_ns": JSONValue(Int(entry.at.nanoseconds)), "text": JSONValue(entry.text)]
  }

  private func json(_ coverage: TestCoverage, in file: String) -> JSONValue {
    [
      "rules": JSONValue(coverage.rules),
      "rules_never_held": JSONValue(coverage.rulesNeverInForce.map { JSONValue($0.description) }),
      "branches": JSONValue(coverage.branches), "branches_seen": JSONValue(coverage.branchesSeen),
      "gaps": JSONValue(
        coverage.gaps.map { gap -> JSONValue in
          let place = place(gap.span, in: file)
          return [
            "line": JSONValue(place.line), "text": JSONValue(place.text), "was_true": JSONValue(gap.wasTrue),
            "was_false": JSONValue(gap.wasFalse),
          ]
        }),
    ]
  }

  private func json(_ mutant: Mutant, in file: String) -> JSONValue {
    [
      "line": JSONValue(place(mutant.mutation.span, in: file).line),
      "change": JSONValue(mutant.mutation.text),
      "killed_by": mutant.killedBy.map { JSONValue($0) } ?? .null,
    ]
  }

  /// The report as JUnit XML for build servers, with one suite for each file.
  public var junitText: String {
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    lines.append(
      "<testsuites tests=\"\(outcomes.count + skips)\" failures=\"\(failures)\" skipped=\"\(skips)\">")
    for file in files {
      let failed = file.outcomes.count { !$0.hasPassed }
      lines.append(
        "  <testsuite name=\"\(escaped(file.file))\" tests=\"\(file.outcomes.count + file.skipped.count)\" "
          + "failures=\"\(failed)\" skipped=\"\(file.skipped.count)\">"
      )
      for outcome in file.outcomes {
        let name = element(outcome.test, file)
        guard !outcome.hasPassed else {
          lines.append("    \(name)/>")
          continue
        }
        lines.append("    \(name)>")
        lines.append("      <failure message=\"\(escaped(message(of: outcome, in: file.file)))\"/>")
        lines.append("    </testcase>")
      }
      for test in file.skipped {
        let reason = "missing: \(test.missingDevices.joined(separator: ", "))"
        lines.append("    \(element(test, file))>")
        lines.append("      <skipped message=\"\(escaped(reason))\"/>")
        lines.append("    </testcase>")
      }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>", ""]).joined(separator: "\n")
  }

  private func element(_ test: CheckedTest, _ file: File) -> String {
    "<testcase classname=\"\(escaped(file.policy))\" name=\"\(escaped(test.title))\""
  }

  private func message(of outcome: TestOutcome, in file: String) -> String {
    if let miss = outcome.misses.first {
      let place = place(miss.expectation.span, in: file)
      return "line \(place.line): \(place.text)"
    }
    return outcome.violations.first.map { "violated: \($0.text)" } ?? outcome.refusals.first ?? ""
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{0}"..<"\u{20}": result += " "
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
