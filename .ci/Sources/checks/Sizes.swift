import Glibc

/// The sizes of the steps, such as the number of runs. The environment variable with the name of a size
/// overrides this size.
struct Sizes: Sendable {
  private let values: [String: String]

  /// The sizes of `.ci/run`: the smallest size of each step.
  static let gate = Sizes([
    "STINT_TIER": "gate", "STINT_DIFFERENTIAL": "2000", "STINT_READINGS": "200", "STINT_SWARMS": "1",
    "STINT_KILLS": "10", "STINT_SEEDS": "2", "STINT_RELOADS": "100", "STINT_DAYS": "2", "FUZZ_SECONDS": "8",
    "STINT_SOAK": "1", "STINT_LIVES": "300",
  ])

  /// The sizes of `.ci/long`.
  static let long = Sizes([
    "STINT_TIER": "long", "STINT_DIFFERENTIAL": "1000000", "STINT_READINGS": "10000", "STINT_SWARMS": "10000",
    "STINT_KILLS": "1000", "STINT_SEEDS": "100", "STINT_RELOADS": "1000", "STINT_DAYS": "100",
    "FUZZ_SECONDS": "600", "STINT_SOAK": "60", "STINT_LIVES": "10000",
  ])

  private init(_ defaults: [String: String]) {
    var values = defaults
    for name in defaults.keys {
      if let set = getenv(name).map({ String(cString: $0) }), !set.isEmpty { values[name] = set }
    }
    self.values = values
  }

  /// The sizes as environment variables of scripts and tests.
  var environment: [String: String] { values }

  /// Returns the size with this name. Ends the program when the size is not an integer.
  subscript(name: String) -> Int {
    guard let value = values[name].flatMap({ Int($0) }) else { fatal("\(name) must be an integer") }
    return value
  }
}

/// Prints an error in the arguments or the environment, and ends the program.
func fatal(_ sentence: String) -> Never {
  _ = Array("\(sentence)\n".utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  exit(2)
}
