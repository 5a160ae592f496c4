public import StintLanguage
public import StintMachine
public import StintModel

extension Compiler {
  /// Returns the content of an image file: the images of the policies, the data to run them, and the sources.
  ///
  /// - Precondition: the policies were checked against this vocabulary, and correspond to the sources in
  ///   number and order.
  public static func file(
    _ policies: [CheckedPolicy], sources: [SourceText], vocabulary: Vocabulary
  ) -> ImageFile {
    precondition(policies.count == sources.count, "each policy needs its source")
    let texts = ImageTexts(
      language: ImageTexts.newestLanguage,
      sources: sources.map { ImageTexts.Source(file: $0.file, text: $0.text) },
      policies: policies.map { ImageTexts.Policy(name: $0.name, version: $0.version) })
    return ImageFile(
      texts: texts, vocabulary: vocabulary, image: compile(policies, vocabulary: vocabulary),
      perDemandImage: compileForDemands(policies, vocabulary: vocabulary),
      defaults: defaults(of: policies, vocabulary: vocabulary), computed: policies.flatMap(\.computed),
      moves: policies.flatMap(\.moves))
  }

  /// Returns the default settings of devices for demands that omit a setting, one entry per device.
  public static func defaults(of policies: [CheckedPolicy], vocabulary: Vocabulary) -> [DeviceDefaults] {
    DeviceDefaults.joined(policies.flatMap(\.defaults).map(\.inForce), vocabulary: vocabulary)
  }
}
