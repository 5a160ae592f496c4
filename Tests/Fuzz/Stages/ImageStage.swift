import StintGovernor
import StintMachine
import StintModel
import StintUnits

/// Any bytes are an image or are not; one that the verifier takes runs, whatever else it is.
///
/// Bytes that begin as an image does are looked at as they are and with their lengths and checksums put right. Others
/// are looked at as the rebuildable part of an image that is otherwise sound.
enum ImageStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard ImageFile.claims(bytes) else {
      return try look(at: ImageMending.file(rebuildable: bytes))
    }
    try look(at: bytes)
    if let mended = ImageMending.mended(bytes) { try look(at: mended) }
  }

  private static func look(at bytes: [UInt8]) throws(FuzzFinding) {
    let file: ImageFile
    do { file = try ImageFile(bytes) } catch {
      try require(error)
      do { _ = try ImageFile.texts(bytes) } catch { try require(error) }
      return
    }
    try FuzzFinding.unless(file.bytes == bytes, "an image is written otherwise than it was read")
    let text = Disassembler(file.image).text
    try FuzzFinding.unless(!text.isEmpty || file.image.rules.isEmpty, "an image with rules has no text")
    do {
      try ImageTrial.run(try ImageVerifier.verify(file, vocabulary: Phone.vocabulary), seed: bytes.count)
    } catch let trap as Problem {
      try require(trap)
      guard trap.code == .manifest else { return }
      let fitted = ImageMending.fitted(file)
      do {
        try ImageTrial.run(try ImageVerifier.verify(fitted, vocabulary: Phone.vocabulary), seed: bytes.count)
      } catch let trap as Problem {
        try require(trap)
      } catch let finding as FuzzFinding {
        throw finding
      } catch {
        throw FuzzFinding("neither a trap nor a finding: \(error)")
      }
    } catch let finding as FuzzFinding {
      throw finding
    } catch {
      throw FuzzFinding("neither a trap nor a finding: \(error)")
    }
  }

  /// A trap says where, what is wrong, and what to do.
  private static func require(_ trap: Problem) throws(FuzzFinding) {
    try FuzzFinding.unless(
      !trap.place.description.isEmpty && !trap.cause.isEmpty && !trap.remedy.isEmpty,
      "a trap says too little: \(trap)")
  }
}
