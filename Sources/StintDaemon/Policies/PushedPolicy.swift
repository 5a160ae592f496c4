import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintUnits

extension PolicyLoader.Loaded {
  /// Returns the texts in force with `source`. This source replaces the text with the same policy name or
  /// file; when there is no such text, the source is added.
  func replacing(_ source: SourceText) -> [SourceText] {
    let name = Parser.parse(source, units: .standard).file.name?.text
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
