import StintDaemon
import StintModel
import StintRuntime
import StintTools

enum WhyCommand {
  static let definition = CommandDefinition(
    name: "why", operands: "DEVICE", operandCount: 1...1,
    meaning: "explain why a device was on or off, from client to setting",
    example: "stint why location.gnss --at 14:05 --journal day.journal",
    detail: """
      The journal is replayed up to the requested time, and all decisions up to this time are verified. With
      --control, a running daemon explains the present state of the device instead.
      """,
    alternatives: "(--journal J | --control SOCKET)",
    options: InstantQuery.options,
    run: { arguments, console in
      let device = arguments.operands[0]
      return try InstantQuery.run("why", .why(device: device), arguments, console) { journal, time in
        let report = try WhyQuery.report(
          DeviceID(device), at: time, journal: journal, note: { console.log($0) })
        return (report.text, report.jsonText)
      }
    })
}
