import StintGovernor
import StintJournal
import StintMachine

/// The hash by which a journal names an image.
enum ImageFingerprint {
  /// The SHA-256 of everything that a program's images say, as 32 bytes.
  static func digest(of program: Program) -> [UInt8] {
    var hash = SHA256()
    for image in [program.image, program.clientImage] {
      hash.update(image.map { Disassembler($0.image).text } ?? "")
      hash.update([0])
    }
    return hash.digest()
  }
}
