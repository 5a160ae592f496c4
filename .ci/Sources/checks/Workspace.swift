import Glibc

/// The repository with its builds, as steps use it.
///
/// Scripts get the same paths from their environment. `STINT` and `LAB` are the programs built for release,
/// and `STINT_DEBUG` is `stint` without optimization. `NOTES` is a file: a script adds a line to it for each
/// part that the script skips.
final class Workspace: Sendable {
  let root: String
  let sizes: Sizes
  let notes: String
  /// The file to which commands write their output; nil when they share this program's output.
  private let printed: String?

  init(root: String, sizes: Sizes) {
    self.root = root
    self.sizes = sizes
    notes = root + "/.build/checks.notes"
    printed = nil
  }

  /// Makes a workspace for a step that runs in parallel. The workspace has separate notes and a separate
  /// output file.
  init(_ other: Workspace, for step: Step) {
    root = other.root
    sizes = other.sizes
    notes = "\(other.notes).\(step.name)"
    printed = "\(other.root)/.build/checks.\(step.name).log"
    mkdir("\(other.root)/.build", 0o755)
    if let printed { unlink(printed) }
  }

  /// Prints the output of a step that ran in parallel.
  func show() {
    if let printed { _ = command("cat \(printed); rm -f \(printed)", [:]).run() }
  }

  /// The path of the program `stint`, built for release.
  var stint: String { "\(root)/\(Self.shipping)/release/stint" }
  /// The path of the program `stint-lab`, built for release.
  var lab: String { "\(root)/\(Self.shipping)/release/stint-lab" }
  /// The path of the program `stint` without optimization.
  var debugStint: String { root + "/.build/debug/stint" }

  /// The paths of the policies that are shipped, sorted.
  var policies: [String] {
    get throws(StepProblem) {
      try output("printf '%s\\n' policies/*.stint").split(separator: "\n").map(String.init)
    }
  }

  private var environment: [String: String] {
    var result = sizes.environment
    result["STINT"] = stint
    result["STINT_DEBUG"] = debugStint
    result["LAB"] = lab
    result["NOTES"] = notes
    return result
  }

  /// Runs a bash command line and shows its output.
  func bash(_ line: String, _ more: [String: String] = [:]) throws(StepProblem) {
    let status = run(command(line, more))
    guard status == 0 else { throw .failed("ended with \(status): \(line.prefix { $0 != "\n" })") }
  }

  /// Runs a bash command line and returns its output, without line breaks at the end.
  func output(_ line: String, _ more: [String: String] = [:]) throws(StepProblem) -> String {
    let (status, text) = command(line, more).output()
    guard status == 0 else { throw .failed("ended with \(status): \(line.prefix { $0 != "\n" })") }
    return text
  }

  /// Runs a script of `.ci/Scripts`. Exit code 75 means that the script cannot run here; the last note of the
  /// script contains the reason.
  func script(_ name: String, _ more: [String: String] = [:]) throws(StepProblem) {
    switch run(command("exec bash -euo pipefail .ci/Scripts/\(name).sh", more)) {
    case 0: return
    case 75: throw .skipped(takeNotes().last ?? "a required program or file is missing")
    case let status: throw .failed("\(name).sh ended with \(status)")
    }
  }

  /// Runs command lines in parallel and waits for all of them.
  func beside(_ lines: [String]) throws(StepProblem) {
    let children = lines.map { command($0, [:]).start() }
    let statuses = children.map { Command.wait(for: $0) }
    for (line, status) in zip(lines, statuses) where status != 0 {
      throw .failed("ended with \(status): \(line)")
    }
  }

  /// Returns the notes that scripts have written about skipped parts since the last call, and deletes the
  /// notes.
  func takeNotes() -> [String] {
    let text = command("cat \"$NOTES\" 2> /dev/null || true", [:]).output().text
    _ = command("rm -f \"$NOTES\"", [:]).run()
    return text.split(separator: "\n").map(String.init)
  }

  /// Returns the lines of a log that report failures, at most 40.
  func findings(in log: String) -> [String] {
    let text = command("grep -aE 'error:|✘|^↳' \(log) | cut -c 1-400 | head -n 40 || true", [:]).output().text
    return text.split(separator: "\n").map(String.init)
  }

  private func run(_ command: Command) -> Int32 {
    guard let printed else { return command.run() }
    let file = open(printed, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { return 127 }
    defer { close(file) }
    return command.run(into: file)
  }

  private func command(_ line: String, _ more: [String: String]) -> Command {
    Command(line, folder: root, environment: environment.merging(more) { $1 })
  }
}

extension Workspace {
  /// The folder of the release build.
  static let shipping = ".build/ship"

  static func isFile(_ path: String) -> Bool { access(repository + "/" + path, R_OK) == 0 }

  static let program: String = {
    guard let path = realpath("/proc/self/exe", nil) else { fatal("the program cannot find its own path") }
    defer { free(path) }
    return String(cString: path)
  }()

  /// The folder that contains `.ci`, derived from the path of this program.
  static let repository: String = {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false)
    guard let end = parts.lastIndex(of: ".ci") else { fatal("the program was not built in .ci") }
    return parts[..<end].joined(separator: "/")
  }()
}
