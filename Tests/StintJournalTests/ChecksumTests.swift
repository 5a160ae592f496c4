import StintUnits
import Testing

@testable import StintJournal

@Suite("Checksums")
struct ChecksumTests {
  static let vectors: [([UInt8], UInt32)] = [
    (Array("123456789".utf8), 0xE306_9283),
    ([], 0),
    ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
    ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
    (Array(0..<32), 0x46DD_794E),
    (Array((0..<32).reversed()), 0x113F_DB5C),
  ]

  @Test("CRC-32C matches the published vectors", arguments: vectors)
  func crcVectors(bytes: [UInt8], sum: UInt32) {
    #expect(Checksum.crc32c(bytes) == sum)
    #expect(CRC32C.of(bytes) == sum)
  }

  @Test(
    "the CRC instruction and the table give equal CRC-32C values for all lengths and alignments"
  )
  func crcBothWays() {
    let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 73 ^ $0 >> 3) }
    bytes.withUnsafeBytes { all in
      for start in 0..<9 {
        for end in start...all.count {
          let piece = UnsafeRawBufferPointer(rebasing: all[start..<end])
          #expect(Checksum.crc32c(piece, continuing: 77) == CRC32C.of(piece, continuing: 77))
        }
      }
    }
  }

  @Test("a CRC-32C computed in two parts equals the CRC-32C of the whole, for every split")
  func crcContinues() {
    let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let whole = Checksum.crc32c(bytes)
    for cut in 0...bytes.count {
      let first = Checksum.crc32c(Array(bytes[..<cut]))
      let both = bytes[cut...].withUnsafeBytes { Checksum.crc32c($0, continuing: first) }
      #expect(both == whole)
    }
  }

  @Test(
    "SHA-256 matches the published vectors",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
          + "mnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func shaVectors(text: String, digest: String) {
    #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
  }

  @Test("SHA-256 does not depend on how the bytes are split")
  func shaContinues() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = SHA256.hexadecimal(of: bytes)
    for size in [1, 3, 55, 56, 63, 64, 65, 119, 128, 299] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(hash.hexadecimal() == whole, "pieces of \(size)")
    }
  }

  @Test("a SHA-256 hash can be read before the end of the input and then continued")
  func shaInTheMiddle() {
    var hash = SHA256()
    hash.update("ab")
    _ = hash.digest()
    hash.update("c")
    #expect(hash.hexadecimal() == SHA256.hexadecimal(of: Array("abc".utf8)))
  }

  @Test("hexadecimal digits are lower case, two for each byte")
  func hexadecimal() {
    #expect(Hexadecimal.text(of: [0, 15, 16, 0xAB, 255]) == "000f10abff")
  }
}
