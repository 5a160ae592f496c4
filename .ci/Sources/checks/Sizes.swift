import Glibc

/// How much of each step a run does; an environment variable of the same name changes one size.
struct Sizes: Sendable {
  private let values: [String: String]

  /// What `.ci/run` does: everything at its smallest.
  static let gate = Sizes([
    "STINT_TIER": "gate", "STINT_DIFFERENTIAL": "2000", "STINT_READINGS": "200", "STINT_SWARMS": "1",
    "STINT_KILLS": "10", "STINT_SEEDS": "2", "STINT_RELOADS": "100", "STINT_DAYS": "2", "FUZZ_SECONDS": "8",
    "STINT_SOAK": "1",
  ])

  /// What `.ci/long` does.
  static let long = Sizes([
    "STINT_TIER": "long", "STINT_DIFFERENTIAL": "1000000", "STINT_READINGS": "10000", "STINT_SWARMS": "10000",
    "STINT_KILLS": "1000", "STINT_SEEDS": "100", "STINT_RELOADS": "1000", "STINT_DAYS": "100",
    "FUZZ_SECONDS": "600", "STINT_SOAK": "60",
  ])

  private init(_ defaults: [String: String]) {
    var values = defaults
    for name in defaults.keys {
      if let set = getenv(name).map({ String(cString: $0) }), !set.isEmpty { values[name] = set }
    }
    self.values = values
  }

  /// The sizes as scripts and tests read them.
  var environment: [String: String] { values }

  /// The size of this name.
  subscript(name: String) -> Int {
    guard let value = values[name].flatMap({ Int($0) }) else { fatal("\(name) is a number") }
    return value
  }
}

/// Ends the program for wrong use.
func fatal(_ sentence: String) -> Never {
  _ = Array("\(sentence)\n".utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  exit(2)
}
