public import StintMachine

extension Program {
  /// Creates a program from a verified image file.
  public init(_ verified: VerifiedImageFile) {
    let file = verified.file
    self.init(
      image: verified.image, defaults: file.defaults, computed: file.computed, moves: file.moves,
      perDemandImage: verified.perDemandImage)
  }
}
