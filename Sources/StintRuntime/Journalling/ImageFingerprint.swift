package import StintGovernor
import StintJournal
import StintMachine

/// The hash that identifies a program in a journal: the SHA-256 of the disassembly of its images.
package enum ImageFingerprint {
  /// Returns the hash of a program, 32 bytes.
  package static func digest(of program: Program) -> [UInt8] {
    var hash = SHA256()
    for image in [program.image, program.perDemandImage] {
      hash.update(image.map { Disassembler($0.image).text } ?? "")
      hash.update([0])
    }
    return hash.digest()
  }
}
