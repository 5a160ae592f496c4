/// The use of a file whose path is the value of an option or an operand of a command.
package enum FileUse: Hashable, Sendable {
  /// The command reads the file. In a folder, it reads the files whose names end in one of the suffixes.
  case input(suffixes: [String])
  /// The command reads the file when the value has the form of a path. Other values name built-in scenarios.
  case scenario
  /// The command writes the file, and replaces an existing file.
  case output
  /// The command writes an image of policies, and replaces an existing file. An input that is an image may be
  /// replaced too, because the new image contains the texts of the old image.
  case image
  /// The command creates the file, and refuses an existing file.
  case newOutput

  /// One file that the command reads.
  static let input = FileUse.input(suffixes: [])
  /// A policy, or a folder of policies.
  static let policies = FileUse.input(suffixes: [".stint"])

  var isOutput: Bool { [.output, .image, .newOutput].contains(self) }
}
