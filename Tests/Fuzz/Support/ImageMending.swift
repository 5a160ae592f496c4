import StintMachine
import StintModel

/// Corrects the parts of an image that random changes almost always make invalid. These are checksums,
/// lengths, hashes of manifests, and indexes of facts.
enum ImageMending {
  /// Returns the bytes with a correct header; nil when there are fewer bytes than a header has.
  static func mended(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= ImageHeader.size else { return nil }
    var claimed = 0
    for place in 16..<20 { claimed |= Int(bytes[place]) << ((place - 16) * 8) }
    let start = ImageHeader.size + min(claimed, bytes.count - ImageHeader.size)
    return file(Array(bytes[ImageHeader.size..<start]), Array(bytes[start...]))
  }

  /// Returns an image file without policy texts. `bytes` are its rebuildable part: the compiled code, which
  /// Stint can compile again from the texts.
  static func file(rebuildable bytes: [UInt8]) -> [UInt8] { file(noTexts, bytes) }

  /// The stable part of an image file: version 1 of the policy language, without texts and policies.
  private static let noTexts: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  private static func file(_ stable: [UInt8], _ rebuildable: [UInt8]) -> [UInt8] {
    ImageHeader(stable: stable, rebuildable: rebuildable, language: 1).bytes + stable + rebuildable
  }

  /// Returns the rebuildable part of an image that the compiler wrote.
  static func rebuildable(of file: ImageFile) -> [UInt8] {
    let bytes = file.bytes
    var length = 0
    for place in 24..<28 { length |= Int(bytes[place]) << ((place - 24) * 8) }
    return Array(bytes.suffix(length))
  }

  /// Returns the image as if it were compiled for the vocabulary of `Phone`. The image gets the hashes of
  /// this vocabulary, and the index of each fact in it. A fact that this vocabulary lacks gets an arbitrary
  /// valid index.
  static func fitted(_ file: ImageFile) -> ImageFile {
    let vocabulary = Phone.vocabulary.computing(file.computed)
    func fitted(_ image: Image) -> Image {
      var image = image
      for place in image.facts.indices {
        let number = image.facts[place].number
        let path = file.manifests.facts.indices.contains(number) ? file.manifests.facts[number].path : ""
        image.facts[place].number = vocabulary.fact(path) ?? number % vocabulary.facts.count
      }
      return image
    }
    return ImageFile(
      texts: file.texts, vocabulary: Phone.vocabulary, image: fitted(file.image),
      perDemandImage: file.perDemandImage.map(fitted), defaults: file.defaults, computed: file.computed,
      moves: file.moves)
  }
}
