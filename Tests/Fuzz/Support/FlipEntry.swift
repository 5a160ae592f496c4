#if TURNING
  import StintMachine

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Runs `ImageStage` on every truncation and every one-bit flip of the image files whose paths are the
  /// arguments. The stage tries each damaged image as it is, and again with corrected checksums. A finding
  /// ends the process with exit code 1; a trap ends the process with a signal.
  @main
  enum FlipEntry {
    static func main() {
      for path in CommandLine.arguments.dropFirst() {
        let bytes = read(path)
        do throws(FuzzFinding) {
          print("\(path): \(try exhaust(bytes))")
        } catch {
          print("\(path): \(error.description)")
          exit(1)
        }
      }
    }

    private static func exhaust(_ bytes: [UInt8]) throws(FuzzFinding) -> String {
      try ImageStage.run(bytes)
      for count in bytes.indices {
        let cut = Array(bytes[..<count])
        try FuzzFinding.unless(!isValid(cut), "its first \(count) bytes are accepted as an image")
        try ImageStage.run(cut)
      }
      var safe = 0
      for place in bytes.indices {
        for bit in 0..<8 {
          var flipped = bytes
          flipped[place] ^= 1 << UInt8(bit)
          try FuzzFinding.unless(!isValid(flipped), "a flip of bit \(bit) in byte \(place) is not detected")
          try ImageStage.run(flipped)
          if let mended = ImageMending.mended(flipped), isValid(mended) { safe += 1 }
        }
      }
      return
        "\(bytes.count) truncations and \(bytes.count * 8) flipped bits are rejected; with fixed checksums, "
        + "\(safe) of the images with a flipped bit run, the others are rejected"
    }

    private static func isValid(_ bytes: [UInt8]) -> Bool {
      do {
        _ = try ImageVerifier.verify(try ImageFile(bytes), vocabulary: Phone.vocabulary)
        return true
      } catch {
        return false
      }
    }

    private static func read(_ path: String) -> [UInt8] {
      guard let file = fopen(path, "r") else { return [] }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = fread(&bytes, 1, bytes.count, file)
      return Array(bytes[..<count])
    }
  }
#endif
