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

/// Tries on the machine at hand whether a plugin that asks for nothing can escape: `stint plugin check --escape`.
public struct EscapeCheck: Sendable {
  /// The word with which `stint` starts itself as the program that attempts to escape.
  public static let word = "plugin-escapes"

  private let trial: EscapeTrial
  /// What was found changed of this process and its files, as sentences.
  private let changes: [String]

  /// The attempts, in the contained program. Returns its exit status.
  public static func attempt(_ arguments: [String]) -> Int32 {
    guard arguments.count == 2, let process = Int32(arguments[0]) else { return 2 }
    return EscapeTrial.attempt(on: process, in: arguments[1])
  }

  /// Makes every attempt, aimed at this process and at a folder of its own. Blocks for some seconds.
  ///
  /// - Parameter without: the words of means that are left out, to see what the others hold alone.
  public init(without words: [String] = []) throws {
    let without = try words.map { word in
      guard let means = ContainmentMeans(rawValue: word) else {
        throw Problem(
          .content, place: "“\(word)”", cause: "no means of containment is named so",
          remedy: "say one of \(ContainmentMeans.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return means
    }
    guard EscapeTrial.count > 0, let program = Folder.absolute("/proc/self/exe") else {
      throw Problem(
        .content, place: "stint plugin check --escape",
        cause: "this system has no plugins in processes of their own", remedy: "try it on Linux")
    }
    let contents: [UInt8]
    contents = try FileText.read(program, limit: 512 << 20)
    let folder = try EscapeFolder()
    let before = try EscapeWitness(folder.path)
    do throws(ChildFailure) {
      trial = try EscapeTrial(
        path: program, contents: contents, arguments: [Self.word, "\(getpid())", folder.path],
        without: without)
    } catch {
      throw Problem(
        .content, place: program, cause: "\(error)",
        remedy: "see stint plugin list for what this system lacks")
    }
    let after = try EscapeWitness(folder.path)
    changes = before.changes(to: after)
    withExtendedLifetime(folder) {}
  }

  /// Whether nothing got through, and every attempt was made.
  public var isHeld: Bool { escaped.isEmpty && changes.isEmpty && trial.failure == nil }

  private var escaped: [EscapeTrial.Outcome] { trial.outcomes.filter(\.gotThrough) }

  /// A line for each attempt, and what holds here.
  public var text: String {
    var lines = trial.outcomes.map { outcome in
      outcome.gotThrough
        ? "  got through  \(outcome.name)"
        : "  \(outcome.isAbsent ? "not there    " : "refused      ")\(outcome.name): \(outcome.reason)"
    }
    lines += changes.map { "  changed      \($0)" }
    lines += trial.failure.map { ["  unfinished   \($0)"] } ?? []
    lines.append("held by    " + trial.held.map(\.rawValue).joined(separator: ", "))
    if !trial.missing.isEmpty {
      lines.append("missing    " + trial.missing.map(\.rawValue).joined(separator: ", "))
    }
    let named = trial.calls.map(\.call).joined(separator: ", ")
    lines.append("status would name \(trial.calls.count) calls: \(named)")
    let absent = trial.outcomes.count(where: \.isAbsent)
    let refused = trial.outcomes.count - absent - escaped.count
    lines.append(
      "\(trial.outcomes.count) attempts: \(refused) refused, \(absent) not there, \(escaped.count) got through"
    )
    return lines.joined(separator: "\n")
  }

  /// One object: the attempts, the means, the calls that were refused, what changed.
  public var jsonText: String {
    let outcomes = trial.outcomes.map { outcome -> JSONValue in
      let word = outcome.gotThrough ? "got-through" : outcome.isAbsent ? "not-there" : "refused"
      return [
        "attempt": JSONValue(outcome.name), "outcome": JSONValue(word),
        "reason": outcome.gotThrough ? JSONValue(.null) : JSONValue(outcome.reason),
      ]
    }
    let calls = trial.calls.map { call -> JSONValue in
      ["call": JSONValue(call.call), "count": JSONValue(Int64(clamping: call.count))]
    }
    func words(_ means: [ContainmentMeans]) -> JSONValue { JSONValue(means.map { JSONValue($0.rawValue) }) }
    return ReportKind.escapeCheck.text(of: [
      "holds": JSONValue(isHeld), "attempts": JSONValue(outcomes), "held": words(trial.held),
      "missing": words(trial.missing), "refused_calls": JSONValue(calls),
      "changes": JSONValue(changes.map { JSONValue($0) }),
      "failure": trial.failure.map { JSONValue($0) } ?? JSONValue(.null),
    ])
  }
}
