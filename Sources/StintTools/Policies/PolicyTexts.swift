package import StintLanguage
package import StintModel
package import StintRuntime
import StintUnits

/// Reads policy files or an image, and compiles the policies for the devices and facts of a vocabulary.
package struct PolicyTexts: Sendable {
  private let vocabulary: Vocabulary

  /// Creates a reader for policies that may name the devices and facts of `vocabulary`.
  package init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Reads, checks and compiles policies, or loads an image. An empty list of paths is valid.
  ///
  /// - Throws: `Problem` when a file cannot be read; `PolicyRefusal` when a policy has errors.
  package func load(policies paths: [String]) throws -> PolicyLoader.Loaded {
    if let bytes = try PolicyImages.bytes(paths) {
      do { return try PolicyLoader(vocabulary: vocabulary).load(image: bytes) } catch {
        throw error.at(paths[0])
      }
    }
    return try load(try PolicyFiles.read(paths))
  }

  /// Returns the texts of policies, from policy files or from an image.
  package func sources(of paths: [String]) throws -> [SourceText] {
    try PolicyImages.bytes(paths) == nil ? PolicyFiles.read(paths) : load(policies: paths).sources
  }

  /// Checks and compiles policies. An empty list is valid.
  ///
  /// - Throws: `PolicyRefusal` when a policy has errors.
  package func load(_ sources: [SourceText]) throws -> PolicyLoader.Loaded {
    guard !sources.isEmpty else { return .none }
    let loaded = PolicyLoader(vocabulary: vocabulary).load(sources)
    guard loaded.program != nil else {
      throw PolicyRefusal(check: PolicyCheck(sources, vocabulary: vocabulary))
    }
    return loaded
  }
}
