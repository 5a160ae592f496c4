import StintRuntime
import StintTools

/// `stint why-not`.
enum WhyNotCommand {
  static let form = CommandForm(
    name: "why-not", operands: "THING", operandCount: 1...1,
    meaning: "say what keeps a device off or a rule out, and until when",
    detail: """
      THING is a device, as in location.gnss, or a rule, as in hiking/still. What is named is the least that would do:
      without all of it the thing does not happen. The journal is replayed up to the time asked about; with --control
      a running daemon is asked instead, about now.
      """,
    options: InstantQuery.options,
    run: { arguments, console in
      let thing = arguments.operands[0]
      return try InstantQuery.run("why-not", .whyNot(thing: thing), arguments, console) { journal, time in
        let report = try WhyQuery.whyNot(thing, at: time, journal: journal, note: { console.log($0) })
        return (report.text, report.jsonText)
      }
    })
}
