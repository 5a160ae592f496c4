import StintDaemon
import StintRuntime
import StintTools

enum WhyNotCommand {
  static let definition = CommandDefinition(
    name: "why-not", operands: "THING", operandCount: 1...1,
    meaning: "explain why a device is off or a rule is not in force",
    example: "stint why-not hiking/still --at 14:05 --journal day.journal",
    detail: """
      THING is a device, such as location.gnss, or a rule, such as hiking/still. The report lists the changes
      that are all needed before the device is on or the rule is in force, and the earliest possible time for
      this, if it is known. The journal is replayed up to the requested time; with --control a running daemon
      answers instead, for the current time.
      """,
    alternatives: "(--journal J | --control SOCKET)",
    options: InstantQuery.options,
    run: { arguments, console in
      let thing = arguments.operands[0]
      return try InstantQuery.run("why-not", .whyNot(thing: thing), arguments, console) { journal, time in
        let report = try WhyQuery.whyNot(thing, at: time, journal: journal, note: { console.log($0) })
        return (report.text, report.jsonText)
      }
    })
}
