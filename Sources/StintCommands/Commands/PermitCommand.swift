import StintTools

enum PermitCommand {
  private static let names = ["location", "precision", "motion", "network"]

  static let definition = CommandDefinition(
    name: "permit", operands: "CLIENT", operandCount: 1...1,
    meaning: "show or change what a client of a running daemon may use",
    example: "stint permit trail-app --location when_in_use --control /tmp/stint.sock",
    detail: """
      Without an option, the permissions are shown. A change applies at once: requests that lack a permission
      end, and their devices stop. The decision replaces the permission that the site or an app gives for the
      same capability, also after the client attaches again; with --state FILE it is saved in
      FILE.permissions. --reset deletes all decisions. The exit code is 3 when no daemon answers.
      """,
    options: [
      .value("location", "LEVEL", "denied, undecided, when_in_use or always"),
      .value("precision", "WORD", "coarse (a radius of at least 3 km) or precise"),
      .value("motion", "WORD", "denied, undecided or granted"),
      .value("network", "WORD", "denied, undecided or granted"),
      .flag("reset", "delete all decisions about this client"),
      ControlQuery.option, .flag("json", "print the daemon's answer as JSON"),
    ],
    run: { arguments, console in
      var changes: [String: String] = [:]
      for name in names { changes[name] = arguments.text(name) }
      let isReset = arguments.has("reset")
      if isReset, !changes.isEmpty {
        throw UsageError("--reset deletes all decisions", hint: "omit the other options")
      }
      let query = DaemonQuery.permit(client: arguments.operands[0], changes: changes, isReset: isReset)
      return try ControlQuery.run(query, arguments, console)
    })
}
