import StintCommands

/// The files of a workload and the number of rules to use, as options of a benchmark.
struct WorkloadFiles {
  var rules: String
  var facts: String
  var updates: String
  /// The number of rules to use; 0 without the option.
  var count: Int

  /// The options of every benchmark that runs a workload.
  static let options: [OptionDefinition] = [
    .value("rules", "FILE", "the rules"), .value("facts", "FILE", "vectors of all facts"),
    .value("updates", "FILE", "vectors that each change a few facts"),
    .value("count", "N", "use only the first N rules"),
    .value("compare", "FILE", "also show the saved figures in this file, with the ratios"),
    .flag("json", "print the figures as JSON"),
  ]

  init(_ arguments: Arguments) throws(UsageError) {
    guard let rules = arguments.text("rules"), let facts = arguments.text("facts"),
      let updates = arguments.text("updates")
    else {
      throw UsageError(
        "--rules, --facts and --updates are required", hint: "write --rules rules.json --facts …")
    }
    self.rules = rules
    self.facts = facts
    self.updates = updates
    count = try arguments.number("count", in: 1...1_000_000, otherwise: 0)
  }
}
