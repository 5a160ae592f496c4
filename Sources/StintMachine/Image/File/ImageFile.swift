public import StintModel
import StintUnits

/// Compiled policies as a file holds them: everything that running needs but the devices themselves, the time zone,
/// and what the policies remember.
public struct ImageFile: Hashable, Sendable {
  /// What people wrote.
  public var texts: ImageTexts
  /// For which devices the rest was compiled.
  public var manifests: ImageManifests
  /// Its facts have their places among the manifests' facts as numbers, until the verifier has found them.
  public var image: Image
  /// The rules that each demand is asked by itself; nil when there are none.
  public var clientImage: Image?
  /// The defaults of devices; several of one device are joined when the image is loaded.
  public var defaults: [DeviceDefaults]
  /// What conditions read beside published facts.
  public var computed: [ComputedFact]
  /// What leads from state to state in machines, in the order in which they are tried.
  public var moves: [StateTransition]

  /// Makes a file's content of what the compiler made for a vocabulary.
  ///
  /// - Precondition: the images name no facts but those of the vocabulary and the computed ones.
  public init(
    texts: ImageTexts, vocabulary: Vocabulary, image: Image, clientImage: Image? = nil,
    defaults: [DeviceDefaults] = [], computed: [ComputedFact] = [], moves: [StateTransition] = []
  ) {
    let used = Set((image.facts + (clientImage?.facts ?? [])).map(\.number)).sorted()
    let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    self.texts = texts
    manifests = ImageManifests(of: vocabulary.computing(computed), facts: used)
    self.image = image.numberingFacts { places[$0] ?? 0 }
    self.clientImage = clientImage?.numberingFacts { places[$0] ?? 0 }
    self.defaults = defaults
    self.computed = computed
    self.moves = moves
  }
}

extension Image {
  /// The same image with other numbers for its facts.
  func numberingFacts(_ number: (Int) -> Int) -> Image {
    var image = self
    for place in image.facts.indices { image.facts[place].number = number(image.facts[place].number) }
    return image
  }
}

extension ImageFile {
  /// Writes the part that can be compiled again from the texts.
  func writeRebuildable(to writer: inout ImageWriter) {
    writer.write(manifests)
    writer.write(defaults)
    writer.write(computed)
    writer.write(moves)
    writer.write(image)
    writer.write(clientImage)
  }

  init(texts: ImageTexts, rebuildable reader: inout ImageReader) throws(Problem) {
    self.texts = texts
    manifests = try reader.read()
    defaults = try reader.read()
    computed = try reader.read()
    moves = try reader.read()
    image = try reader.read()
    clientImage = try reader.read()
  }
}
