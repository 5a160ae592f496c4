import StintLanguage
import StintRuntime

extension PolicyLoader.Loaded {
  /// Returns the texts in force with `source`. The new text replaces the text with its policy name or file;
  /// when there is no such text, it is added.
  func replacing(_ source: SourceText) -> [SourceText] {
    let name = Parser.parse(source).file.name?.text
    let replaced = policies.first { $0.name == name }?.file
    var sources = sources
    if let index = sources.firstIndex(where: { $0.file == replaced || $0.file == source.file }) {
      sources[index] = source
    } else {
      sources.append(source)
    }
    return sources
  }
}
