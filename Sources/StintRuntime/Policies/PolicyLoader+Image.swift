import StintCompiler
import StintGovernor
public import StintLanguage
public import StintMachine
public import StintModel
public import StintUnits

extension PolicyLoader {
  /// Loads compiled policies: bytes → image file → verifier. No text is compiled; the texts within are read only so
  /// that decisions can be explained.
  public func load(image bytes: [UInt8]) throws(Problem) -> Loaded {
    let verified = try ImageVerifier.verify(try ImageFile(bytes), vocabulary: vocabulary)
    let sources = Self.sources(of: verified.file.texts)
    let checked = Checker.check(sources, vocabulary: vocabulary)
    let isReadable = !checked.diagnostics.contains { $0.severity == .error }
    return Loaded(
      program: Program(verified), policies: isReadable ? checked.policies : [], diagnostics: [],
      sources: sources)
  }

  /// How many bytes of a file are read at most, be it a text or an image.
  public static let mostBytes = max(SourceText.mostBytes, ImageFile.mostBytes)

  /// Whether bytes claim to be an image: a policy's text never begins so.
  public static func isImage(_ bytes: [UInt8]) -> Bool { ImageFile.claims(bytes) }

  /// The texts within an image.
  public static func sources(of texts: ImageTexts) -> [SourceText] {
    texts.sources.map { SourceText(file: $0.file, text: $0.text) }
  }
}

extension PolicyLoader.Loaded {
  /// What a file holds of the policies; nil when they have errors.
  public func imageFile(for vocabulary: Vocabulary) -> ImageFile? {
    guard program != nil, policies.count == sources.count else { return nil }
    return Compiler.file(policies, sources: sources, vocabulary: vocabulary)
  }
}
