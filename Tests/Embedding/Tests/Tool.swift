import Foundation

/// The program `stint`, which the package manager builds next to the tests.
struct Tool: ~Copyable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let process: Process

  private static func process(_ arguments: [String]) -> Process {
    let process = Process()
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("stint")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Starts the program and discards its output. The program ends when this value is destroyed.
  init(_ arguments: String...) throws {
    process = Self.process(arguments)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Runs the program until it ends, and discards its output.
  static func run(_ arguments: String...) throws {
    let process = process(arguments)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "stint \(arguments) ends with \(process.terminationStatus)")
    }
  }

  /// Runs `stint sim none --json` with a scenario file, and returns its report.
  static func simulate(_ scenario: String) throws -> Simulation {
    let process = process(["sim", "none", "--scenario", scenario, "--json"])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "stint ends with \(process.terminationStatus)")
    }
    return try JSONDecoder().decode(Simulation.self, from: data)
  }
}

/// The members of the report of `stint sim` that the tests read.
struct Simulation: Decodable {
  struct Count: Decodable {
    let samples: Int
  }

  struct Energy: Decodable {
    private enum CodingKeys: String, CodingKey {
      case byClient = "by_client"
    }

    let byClient: [String: Int64]
  }

  private enum CodingKeys: String, CodingKey {
    case deliveries, refusals
    case energy = "energy_nJ"
  }

  /// The samples by client, without clients that got no samples.
  let deliveries: [String: Count]
  /// The sentences that report refused requests; nil without refusals.
  let refusals: [String]?
  let energy: Energy

  /// Returns whether a device worked for a client.
  func used(by client: String) -> Bool {
    energy.byClient[client] ?? 0 > 0 || deliveries[client]?.samples ?? 0 > 0
  }
}
