public import StintModel
import StintUnits

/// The content of an image file: compiled policies and the data that they need to run. It contains hashes of
/// the devices' manifests. It does not contain the manifests, the time zone or the state of the policies.
public struct ImageFile: Hashable, Sendable {
  /// The source text of the policies.
  public var texts: ImageTexts
  /// The devices and facts for which the image was compiled.
  public var manifests: ImageFingerprints
  /// The image with the rules. Until the verifier assigns vocabulary indexes, the facts of the image refer to
  /// `manifests.facts` by index.
  public var image: Image
  /// The rules that are evaluated once per demand; nil without such rules.
  public var perDemandImage: Image?
  /// The defaults of devices. Loading merges several entries for one device.
  public var defaults: [DeviceDefaults]
  /// The facts that the governor computes.
  public var computed: [ComputedFact]
  /// The transitions of the policies' state machines, in the order in which the governor tries them.
  public var moves: [StateTransition]

  /// Creates the content of a file from the output of the compiler for a vocabulary.
  ///
  /// - Precondition: the images refer only to facts of the vocabulary and to computed facts.
  public init(
    texts: ImageTexts, vocabulary: Vocabulary, image: Image, perDemandImage: Image? = nil,
    defaults: [DeviceDefaults] = [], computed: [ComputedFact] = [], moves: [StateTransition] = []
  ) {
    let used = Set((image.facts + (perDemandImage?.facts ?? [])).map(\.number)).sorted()
    let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    self.texts = texts
    manifests = ImageFingerprints(of: vocabulary.computing(computed), facts: used)
    self.image = image.numberingFacts { places[$0] ?? 0 }
    self.perDemandImage = perDemandImage?.numberingFacts { places[$0] ?? 0 }
    self.defaults = defaults
    self.computed = computed
    self.moves = moves
  }
}

extension Image {
  /// Returns a copy of the image in which `number` converts the index of each fact.
  func numberingFacts(_ number: (Int) -> Int) -> Image {
    var image = self
    for place in image.facts.indices { image.facts[place].number = number(image.facts[place].number) }
    return image
  }
}

extension ImageFile {
  /// Writes the part of the file that can be rebuilt from the policy texts.
  func writeRebuildable(to writer: inout ImageWriter) {
    writer.write(manifests)
    writer.write(defaults)
    writer.write(computed)
    writer.write(moves)
    writer.write(image)
    writer.write(perDemandImage)
  }

  init(texts: ImageTexts, rebuildable reader: inout ImageReader) throws(Problem) {
    self.texts = texts
    manifests = try reader.read()
    defaults = try reader.read()
    computed = try reader.read()
    moves = try reader.read()
    image = try reader.read()
    perDemandImage = try reader.read()
  }
}
