import StintTools

enum PluginCheckCommand {
  static let definition = CommandDefinition(
    name: "plugin check", operands: "DIR", operandCount: 1...1,
    meaning: "run the conformance checks on a plugin",
    example: "stint plugin check soil_probe",
    detail: """
      Starts the program of plugin.json in DIR and drives it through its life cycle in about ten seconds. The
      device is turned on, holds samples, is drained and is turned off. The program gets invalid requests, is
      killed, and is closed while its device is on. The devices of one plugin are checked one after another.
      The device is also compared with its class, such as motion.gyro; stint explain motion.gyro shows what
      each device of this class has. The exit code is 1 when the plugin fails a check, or when a check that
      its class requires could not be tried.
      """,
    options: [
      .values("with", "KEY=VALUE", "a setting of the plugin, as in a site file; may be repeated"),
      .value("power", "FILE", "a file with power meter readings during the check, as UNIX_SECONDS,WATTS"),
      .flag("json", "print the result of each check as one JSON object, one line for each device"),
    ],
    run: { arguments, console in
      let verdicts = try PluginProgramCheck.run(
        arguments.operands[0], settings: arguments.list("with"), power: arguments.text("power"))
      for device in verdicts {
        if arguments.has("json") { console.result(device.jsonText) } else { console.report(device.text) }
      }
      return verdicts.allSatisfy(\.conforms) ? .fine : .findings
    })
}
