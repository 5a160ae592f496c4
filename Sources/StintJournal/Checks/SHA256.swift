/// An incremental SHA-256 (FIPS 180-4). For example, decision logs, images, state files and plugin seals use
/// this hash.
public struct SHA256: Sendable {
  private var state: SIMD8<UInt32> = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  /// The bytes of an incomplete block, fewer than 64.
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  /// Creates the hash of an empty input.
  public init() { pending.reserveCapacity(64) }

  /// Returns the hash of bytes as 64 hexadecimal digits in lower case.
  public static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexadecimal()
  }

  /// Adds bytes to the input.
  public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Adds the UTF-8 bytes of a string to the input.
  public mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes to the input.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var index = 0
    if !pending.isEmpty {
      index = min(64 - pending.count, bytes.count)
      pending.append(contentsOf: bytes[..<index])
      guard pending.count == 64 else { return }
      let before = state
      state = pending.withUnsafeBytes { SHA256Block.compress(before, $0, at: 0) }
      pending.removeAll(keepingCapacity: true)
    }
    while index + 64 <= bytes.count {
      state = SHA256Block.compress(state, bytes, at: index)
      index += 64
    }
    pending.append(contentsOf: bytes[index...])
  }

  /// Returns the 32 bytes of the hash of the input until now. Further input can be added afterwards.
  public func digest() -> [UInt8] {
    var copy = self
    let zeroes = (119 - Int(length % 64)) % 64
    var tail: [UInt8] = [0x80] + [UInt8](repeating: 0, count: zeroes)
    let bits = length &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    copy.update(tail)
    var result: [UInt8] = []
    result.reserveCapacity(32)
    for index in 0..<8 {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        result.append(UInt8(truncatingIfNeeded: copy.state[index] >> shift))
      }
    }
    return result
  }

  /// Returns the hash of the input until now as 64 hexadecimal digits in lower case.
  public func hexadecimal() -> String { Hexadecimal.text(of: digest()) }
}
