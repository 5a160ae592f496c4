public import StintMachine

extension Program {
  /// What a verified image file holds.
  public init(_ verified: VerifiedImageFile) {
    let file = verified.file
    self.init(
      image: verified.image, defaults: file.defaults, computed: file.computed, moves: file.moves,
      clientImage: verified.clientImage)
  }
}
