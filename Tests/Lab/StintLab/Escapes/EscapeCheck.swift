import CStintEscapes
import StintFormats
import StintModel
import StintPluginHost
import StintRuntime
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tests on this computer whether a plugin without permissions can escape from its containment. The command
/// is `stint-lab escape`.
struct EscapeCheck: Sendable {
  /// The argument with which `stint-lab` starts itself as the program that attempts to escape.
  static let word = "escapes"

  /// The arguments of this program without its name. `CommandLine` cannot supply them in a contained process
  /// without namespaces: `CommandLine` reads /proc, and such a process may not read /proc.
  static var programArguments: [String] {
    sequence(first: Int32(1)) { $0 + 1 }.lazy.map { stint_program_argument($0) }.prefix { $0 != nil }
      .compactMap { $0.map { String(cString: $0) } }
  }

  private let trial: EscapeTrial
  /// Changes of this process and of its files during the attempts, one text for each changed property.
  private let changes: [String]

  /// Makes the attempts to escape. Only the contained program calls this function. Returns the program's
  /// exit status.
  static func attempt(_ arguments: [String]) -> Int32 {
    guard arguments.count == 2, let process = Int32(arguments[0]) else { return 2 }
    return EscapeTrial.attempt(on: process, in: arguments[1])
  }

  /// Makes all attempts against this process and a temporary folder. Blocks for some seconds.
  ///
  /// - Parameter without: names of containment mechanisms to leave out, to test the remaining mechanisms
  ///   alone.
  /// - Throws: `Problem` when a name is unknown, or when this system cannot contain processes.
  init(without words: [String] = []) throws {
    let without = try words.map { word in
      guard let means = ContainmentMechanism(rawValue: word) else {
        throw Problem(
          .content, place: "“\(word)”", cause: "unknown means of containment",
          remedy: "write one of \(ContainmentMechanism.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return means
    }
    guard EscapeTrial.count > 0, let program = Folder.absolute("/proc/self/exe") else {
      throw Problem(
        .content, place: "stint-lab escape",
        cause: "this system cannot run plugins as separate processes", remedy: "try it on Linux")
    }
    let contents = try FileText.read(program, limit: 512 << 20)
    let folder = try EscapeFolder()
    let before = try EscapeWitness(folder.path)
    do throws(ChildFailure) {
      trial = try EscapeTrial(
        path: program, contents: contents, arguments: [Self.word, "\(getpid())", folder.path],
        without: without)
    } catch {
      throw Problem(
        .content, place: program, cause: "\(error)",
        remedy: "run stint plugin list to see what this system lacks")
    }
    let after = try EscapeWitness(folder.path)
    changes = before.changes(to: after)
    withExtendedLifetime(folder) {}
  }

  /// True when the program made every attempt, no attempt succeeded, and no watched property changed.
  var isContained: Bool { escaped.isEmpty && changes.isEmpty && trial.failure == nil }

  private var escaped: [EscapeTrial.Outcome] { trial.outcomes.filter(\.gotThrough) }

  /// A line for each attempt, then the containment mechanisms in effect and a summary.
  var text: String {
    var lines = trial.outcomes.map { outcome in
      outcome.gotThrough
        ? "  got through  \(outcome.name)"
        : "  \(outcome.isAbsent ? "not there    " : "refused      ")\(outcome.name): \(outcome.reason)"
    }
    lines += changes.map { "  changed      \($0)" }
    lines += trial.failure.map { ["  unfinished   \($0)"] } ?? []
    lines.append("held by    " + trial.run.held.map(\.rawValue).joined(separator: ", "))
    if !trial.run.missing.isEmpty {
      lines.append("missing    " + trial.run.missing.map(\.rawValue).joined(separator: ", "))
    }
    let named = trial.run.calls.map(\.call).joined(separator: ", ")
    lines.append("refused calls that stint status would name (\(trial.run.calls.count)): \(named)")
    let absent = trial.outcomes.count(where: \.isAbsent)
    let refused = trial.outcomes.count - absent - escaped.count
    lines.append(
      "\(trial.outcomes.count) attempts: \(refused) refused, \(absent) not there, \(escaped.count) got through"
    )
    return lines.joined(separator: "\n")
  }

  /// One JSON object: the attempts, the containment mechanisms, the refused calls and the changes.
  var jsonText: String {
    let outcomes = trial.outcomes.map { outcome -> JSONValue in
      let word = outcome.gotThrough ? "got-through" : outcome.isAbsent ? "not-there" : "refused"
      return [
        "attempt": JSONValue(outcome.name), "outcome": JSONValue(word),
        "reason": outcome.gotThrough ? JSONValue(.null) : JSONValue(outcome.reason),
      ]
    }
    let calls = trial.run.calls.map { call -> JSONValue in
      ["call": JSONValue(call.call), "count": JSONValue(Int64(clamping: call.count))]
    }
    func words(_ means: [ContainmentMechanism]) -> JSONValue {
      JSONValue(means.map { JSONValue($0.rawValue) })
    }
    return JSONWriter.text(of: [
      "holds": JSONValue(isContained), "attempts": JSONValue(outcomes), "held": words(trial.run.held),
      "missing": words(trial.run.missing), "refused_calls": JSONValue(calls),
      "changes": JSONValue(changes.map { JSONValue($0) }),
      "failure": trial.failure.map { JSONValue($0) } ?? JSONValue(.null),
    ])
  }
}
