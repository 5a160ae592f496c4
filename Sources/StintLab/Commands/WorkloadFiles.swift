import StintCommands

/// The files of a workload and how many of its rules count, as options of a benchmark.
struct WorkloadFiles {
  var rules: String
  var facts: String
  var updates: String
  /// 0 when it was left out.
  var count: Int

  /// The options of every benchmark that runs a workload.
  static let options: [OptionForm] = [
    .value("rules", "FILE", "the rules"), .value("facts", "FILE", "vectors of all facts"),
    .value("updates", "FILE", "vectors of which each changes a few facts"),
    .value("count", "N", "only the first N rules"),
    .value("compare", "FILE", "beside each figure the one that this file keeps, and their ratio"),
    .flag("json", "the figures as JSON"),
  ]

  init(_ arguments: Arguments) throws(UsageError) {
    guard let rules = arguments.text("rules"), let facts = arguments.text("facts"),
      let updates = arguments.text("updates")
    else {
      throw UsageError(
        "--rules, --facts and --updates name the workload", hint: "as in --rules rules.json --facts …")
    }
    self.rules = rules
    self.facts = facts
    self.updates = updates
    count = try arguments.number("count", in: 1...1_000_000, otherwise: 0)
  }
}
