import StintLanguage
import StintModel

/// A document as the language understands it at this moment.
struct PolicyReading {
  let document: Document
  let source: SourceText
  let file: PolicyFile
  let index: SymbolIndex
  let vocabulary: Vocabulary

  init(_ document: Document, vocabulary: Vocabulary) {
    self.document = document
    self.vocabulary = vocabulary
    source = document.source
    file = Parser.parse(source).file
    index = SymbolIndex(file, vocabulary: vocabulary)
  }

  /// The policy's own name; empty when it has none.
  var name: String { file.name?.text ?? "" }

  /// The whole name of the device behind a short one.
  func device(_ alias: String) -> DeviceID? {
    for case .use(let item) in file.items where item.alias.text == alias { return DeviceID(item.path.text) }
    return nil
  }
}
