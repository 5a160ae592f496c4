import StintRuntime
import StintTools
import StintUnits

/// The files in a command line, with their uses.
///
/// The check runs before every command. So a command cannot overwrite its own input, and it fails before its
/// work when its result cannot be written.
struct CommandFiles {
  private struct File {
    /// The file as the user wrote it: `--report a.html`, or `a.stint` for an operand.
    let spelling: String
    let path: String
    let use: FileUse
  }

  private let files: [File]

  /// Collects the files of a command line, the inputs first.
  init(_ arguments: Arguments, as definition: CommandDefinition) {
    var files: [File] = []
    if let use = definition.operandUse {
      // The operand “none” of sim, compare and diff means no policy. No command reads a file of this name.
      files += arguments.operands.filter { $0 != "-" && $0 != "none" }
        .map { File(spelling: $0, path: $0, use: use) }
    }
    for option in definition.options {
      guard let use = option.use else { continue }
      for path in arguments.list(option.name) + [arguments.text(option.name)].compactMap(\.self) {
        files.append(File(spelling: "\(option.words.last ?? option.name) \(path)", path: path, use: use))
      }
    }
    self.files = files.filter { !$0.use.isOutput } + files.filter(\.use.isOutput)
  }

  /// Checks that each output can be written, and that no other argument is the path of the same file. When
  /// the output is an image, it may replace an image that is also an input.
  func check() throws {
    for (index, file) in files.enumerated() where file.use.isOutput {
      guard file.path != "-" else {
        throw UsageError("\(file.spelling) cannot be standard output", hint: "give the path of a file")
      }
      for other in files[..<index] { try Self.requireDistinct(file, other) }
      if file.use == .newOutput, Folder.entry(at: file.path) != .nothing {
        throw Problem(
          .exists, place: file.path, cause: "the file already exists",
          remedy: "choose another name, or remove the file")
      }
      try FileText.checkWriting(to: file.path)
    }
  }

  private static func requireDistinct(_ output: File, _ other: File) throws {
    guard let identity = FileIdentity(of: output.path) else { return }
    if output.use == .image, PolicyImages.isImage(output.path) { return }
    guard let same = try paths(of: other).first(where: { FileIdentity(of: $0) == identity }) else { return }
    throw UsageError(
      other.use.isOutput
        ? "\(other.spelling) and \(output.spelling) are the same file"
        : "\(output.spelling) would overwrite the input \(same == other.path ? other.spelling : same)",
      hint: "choose another path for the output")
  }

  /// Returns the paths of a file, or of the files that the command reads in a folder.
  private static func paths(of file: File) throws(Problem) -> [String] {
    switch file.use {
    case .scenario: return file.path.contains("/") || file.path.hasSuffix(".json") ? [file.path] : []
    case .output, .image, .newOutput: return [file.path]
    case .input(let suffixes):
      guard !suffixes.isEmpty, Folder.entry(at: file.path) == .folder else { return [file.path] }
      return try Folder.files(in: file.path, suffix: "").filter { path in
        suffixes.contains { path.lowercased().hasSuffix($0) }
      }
    }
  }
}
