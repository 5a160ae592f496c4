import StintCompiler
import StintGovernor
public import StintLanguage
public import StintMachine
public import StintModel
public import StintUnits

extension PolicyLoader {
  /// Loads a policy image: bytes → image file → verifier. The source texts in the image are parsed only
  /// to explain decisions. They are compiled only when the rules in the image have a version that this
  /// program does not run.
  public func load(image bytes: [UInt8]) throws(Problem) -> Loaded {
    let file: ImageFile
    do throws(Problem) {
      file = try ImageFile(bytes)
    } catch {
      return try loadTexts(ofImage: bytes, insteadOf: error)
    }
    let verified = try ImageVerifier.verify(file, vocabulary: vocabulary)
    let sources = Self.sources(of: verified.file.texts)
    let checked = Checker.check(sources, vocabulary: vocabulary)
    let isReadable = !checked.diagnostics.contains { $0.severity == .error }
    return Loaded(
      program: Program(verified), policies: isReadable ? checked.policies : [], diagnostics: [],
      sources: sources)
  }

  /// Compiles the texts of an image whose rules have a version that this program does not run.
  ///
  /// - Throws: `problem` when its code is not `version`; a new problem with the code `version` when the texts
  ///   have errors.
  private func loadTexts(
    ofImage bytes: [UInt8], insteadOf problem: Problem
  ) throws(Problem) -> Loaded {
    guard problem.code == .version else { throw problem }
    let loaded = load(Self.sources(of: try ImageFile.texts(bytes)))
    guard let error = loaded.diagnostics.first(where: { $0.severity == .error }) else { return loaded }
    throw Problem(
      .version, place: problem.place,
      cause: "\(problem.cause); its texts cannot be compiled again: \(error.file): \(error.title)",
      remedy: "compile the policies for these devices")
  }

  /// The maximum size in bytes of a policy text or image.
  public static let maxBytes = max(SourceText.maxBytes, ImageFile.maxBytes)

  /// Returns true when the bytes begin like an image. A policy text never begins with these bytes.
  public static func isImage(_ bytes: [UInt8]) -> Bool { ImageFile.claims(bytes) }

  /// Returns the source texts in an image.
  public static func sources(of texts: ImageTexts) -> [SourceText] {
    texts.sources.map { SourceText(file: $0.file, text: $0.text) }
  }
}

extension PolicyLoader.Loaded {
  /// Returns the image file of the policies. Returns nil when they have errors.
  public func imageFile(for vocabulary: Vocabulary) -> ImageFile? {
    guard program != nil, policies.count == sources.count else { return nil }
    return Compiler.file(policies, sources: sources, vocabulary: vocabulary)
  }
}
