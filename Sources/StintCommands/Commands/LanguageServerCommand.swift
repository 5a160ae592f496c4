import StintLanguage
import StintLanguageServer
import StintModel
import StintPluginKit
import StintTools

enum LanguageServerCommand {
  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "lsp", operands: "", operandCount: 0...0,
      meaning: "serve editors: diagnostics, completion, fixes, formatting",
      example: "stint lsp --site site.json",
      detail: """
        Speaks the Language Server Protocol on standard input and output. Editors start it. Each policy is
        checked as by stint check, together with those policies in its folder whose rules it names.
        """,
      options: [
        .flag("stdio", "accepted because some editors pass it; it has no effect")
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let vocabulary = try DeviceOptions.vocabulary(arguments, linked)
    let server = LanguageServer(
      vocabulary: vocabulary, check: { PolicyCheck($0, vocabulary: $1).diagnostics }, neighbours: neighbours)
    var session = LanguageServerSession(server)
    var input = StandardInput()
    while !session.hasEnded, let bytes = input.next() {
      let answer = session.receive(bytes, isDrained: !input.hasInput)
      if !answer.isEmpty { console.raw(String(decoding: answer, as: UTF8.self)) }
    }
    return session.hasEndedWell ? .fine : .findings
  }

  /// Returns the policies in the folder of a document. Empty when the document is not a file or the folder
  /// cannot be read.
  private static func neighbours(_ address: String) -> [SourceText] {
    guard let path = FileURI.path(of: address), let slash = path.lastIndex(of: "/") else { return [] }
    do {
      return try PolicyFiles.read([String(path[...slash])]).map { source in
        SourceText(file: FileURI.address(of: source.file), bytes: source.bytes)
      }
    } catch {
      return []
    }
  }
}
