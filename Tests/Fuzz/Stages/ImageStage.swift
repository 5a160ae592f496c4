import StintGovernor
import StintMachine
import StintModel
import StintUnits

/// Uses arbitrary bytes as an image. An image that the verifier accepts must run.
///
/// Bytes that begin like an image are tried twice: first unchanged, then with corrected lengths and
/// checksums. Other bytes are used as the rebuildable part (the compiled code) of a valid image.
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
    try FuzzFinding.unless(file.bytes == bytes, "reading and writing an image changes its bytes")
    let text = Disassembler(file.image).text
    try FuzzFinding.unless(!text.isEmpty || file.image.rules.isEmpty, "an image with rules has no text")
    do {
      try ImageTrial.run(try ImageVerifier.verify(file, vocabulary: Phone.vocabulary), seed: bytes.count)
    } catch let problem as Problem {
      try require(problem)
      guard problem.code == .manifest else { return }
      let fitted = ImageMending.fitted(file)
      do {
        try ImageTrial.run(try ImageVerifier.verify(fitted, vocabulary: Phone.vocabulary), seed: bytes.count)
      } catch let problem as Problem {
        try require(problem)
      } catch let finding as FuzzFinding {
        throw finding
      } catch {
        throw FuzzFinding("unexpected error: \(error)")
      }
    } catch let finding as FuzzFinding {
      throw finding
    } catch {
      throw FuzzFinding("unexpected error: \(error)")
    }
  }

  /// Checks that an error has a location, a cause and a remedy.
  private static func require(_ problem: Problem) throws(FuzzFinding) {
    try FuzzFinding.unless(
      !problem.place.description.isEmpty && !problem.cause.isEmpty && !problem.remedy.isEmpty,
      "a rejection lacks location, cause or remedy: \(problem)")
  }
}
