public import StintLanguage
public import StintMachine
public import StintModel

extension Compiler {
  /// What a file holds of the policies: their images with all that running them needs, and their texts.
  ///
  /// - Precondition: the policies were checked against this vocabulary, and are those of the sources, in their order.
  public static func file(
    _ policies: [CheckedPolicy], sources: [SourceText], vocabulary: Vocabulary
  ) -> ImageFile {
    precondition(policies.count == sources.count, "each policy has its text")
    let texts = ImageTexts(
      language: ImageTexts.newestLanguage,
      sources: sources.map { ImageTexts.Source(file: $0.file, text: $0.text) },
      policies: policies.map { ImageTexts.Policy(name: $0.name, version: $0.version) })
    return ImageFile(
      texts: texts, vocabulary: vocabulary, image: compile(policies, vocabulary: vocabulary),
      clientImage: compileForDemands(policies, vocabulary: vocabulary),
      defaults: defaults(of: policies), computed: policies.flatMap(\.computed),
      moves: policies.flatMap(\.moves))
  }

  /// The defaults of devices for demands that leave a setting open, policy by policy.
  public static func defaults(of policies: [CheckedPolicy]) -> [DeviceDefaults] {
    policies.flatMap(\.defaults).map {
      $0.inForce
    }
  }
}
