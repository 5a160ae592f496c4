import StintLanguage
import StintLanguageServer
import StintModel
import StintTools

/// `stint lsp`.
enum LanguageServerCommand {
  static let form = CommandForm(
    name: "lsp", operands: "", operandCount: 0...0,
    meaning: "serve editors: problems, completion, fixes, layout",
    detail: """
      Speaks the Language Server Protocol on standard input and output. An editor starts it; policies are checked
      as stint check does, each together with the ones in its folder whose rules it names.
      """,
    options: [
      .value("manifests", "DIR", "a folder of manifests instead of the reference phone's"),
      .flag("stdio", "what some editors say; there is no other way"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let vocabulary = Vocabulary(manifests: try Manifests.read(arguments.text("manifests")))
    let server = LanguageServer(
      vocabulary: vocabulary, check: { PolicyCheck($0, vocabulary: $1).diagnostics }, neighbours: neighbours)
    var session = LanguageServerSession(server)
    var input = StandardInput()
    while !session.hasEnded, let bytes = input.next() {
      let answer = session.receive(bytes, isDrained: !input.isWaiting)
      if !answer.isEmpty { console.raw(String(decoding: answer, as: UTF8.self)) }
    }
    return session.hasEndedWell ? .fine : .findings
  }

  /// The policies in the folder of a document; none where it is not in a file, or the folder cannot be read.
  private static func neighbours(_ address: String) -> [SourceText] {
    guard let path = FileAddress.path(of: address), let slash = path.lastIndex(of: "/") else { return [] }
    do {
      return try PolicyFiles.read([String(path[...slash])]).map { source in
        SourceText(file: FileAddress.address(of: source.file), bytes: source.bytes)
      }
    } catch {
      return []
    }
  }
}
