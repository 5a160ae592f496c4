import StintTools

enum PluginRunCommand {
  static let definition = CommandDefinition(
    name: "plugin run", operands: "DIR", operandCount: 1...1,
    meaning: "run a plugin alone, set its attributes and watch its samples",
    example: "stint plugin run soil_probe",
    detail: """
      Starts the program of plugin.json in DIR as a daemon does, contained and supervised, and reads orders
      from standard input, one per line:

        on [ATTRIBUTE VALUE, …, hold]    as in: on rate 5 Hz, hold
        off                              turn the device off
        drain                            request the samples that the device holds
        wait TIME                        as in: wait 3 s; the next order then follows
        end                              turn the device off and end, as at the end of the input

      Standard output has one line for each event of the plugin (state, event, fact, sample, fault, transfer,
      availability), for each setting and each refused order, and for each line that the program prints.
      Ctrl-C turns the device off and ends. The exit code is 1 when the plugin has failed or an order was
      refused.
      """,
    options: [
      .values("with", "KEY=VALUE", "a setting of the plugin, as in a site file; may be repeated"),
      .flag("trace", "print a line for each frame of the protocol, without the values of settings"),
      .value("device", "NAME", "the device that gets the orders; by default the first device"),
    ],
    run: { arguments, console in
      let deferredSignals = DeferredSignals()
      let isServed = try PluginSession.run(
        arguments.operands[0], device: arguments.text("device"), settings: arguments.list("with"),
        showsFrames: arguments.has("trace"),
        nextLine: { readLine() },
        isInterrupted: { deferredSignals.isPending }, output: { console.result($0) })
      _ = deferredSignals.end()
      return isServed ? .fine : .findings
    })
}
