/// The SHA-256 compression function for one block of 64 bytes.
enum SHA256Block {
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]

  /// Returns the state after processing the block at `offset`.
  static func compress(_ state: SIMD8<UInt32>, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> SIMD8<
    UInt32
  > {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        words[index] = UInt32(
          bigEndian: bytes.loadUnaligned(fromByteOffset: offset + index * 4, as: UInt32.self))
      }
      for index in 16..<64 {
        let early = words[index - 15]
        let late = words[index - 2]
        let first = turn(early, 7) ^ turn(early, 18) ^ early >> 3
        let second = turn(late, 17) ^ turn(late, 19) ^ late >> 10
        words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
      }
      return constants.withUnsafeBufferPointer { mix(state, words, $0) }
    }
  }

  private static func mix(
    _ state: SIMD8<UInt32>, _ words: UnsafeMutableBufferPointer<UInt32>,
    _ constants: UnsafeBufferPointer<UInt32>
  ) -> SIMD8<UInt32> {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    var index = 0
    // Each iteration performs eight rounds. The rounds use the eight working variables under rotated names,
    // so no values are moved.
    while index < 64 {
      round(a, b, c, &d, e, f, g, &h, constants[index] &+ words[index])
      round(h, a, b, &c, d, e, f, &g, constants[index + 1] &+ words[index + 1])
      round(g, h, a, &b, c, d, e, &f, constants[index + 2] &+ words[index + 2])
      round(f, g, h, &a, b, c, d, &e, constants[index + 3] &+ words[index + 3])
      round(e, f, g, &h, a, b, c, &d, constants[index + 4] &+ words[index + 4])
      round(d, e, f, &g, h, a, b, &c, constants[index + 5] &+ words[index + 5])
      round(c, d, e, &f, g, h, a, &b, constants[index + 6] &+ words[index + 6])
      round(b, c, d, &e, f, g, h, &a, constants[index + 7] &+ words[index + 7])
      index += 8
    }
    return state &+ SIMD8(a, b, c, d, e, f, g, h)
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
    _ h: inout UInt32, _ word: UInt32
  ) {
    let sum = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    let first = h &+ sum &+ (g ^ e & (f ^ g)) &+ word
    let other = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    d = d &+ first
    h = first &+ other &+ (a & b | c & (a | b))
  }

  @inline(__always)
  private static func turn(_ value: UInt32, _ bits: UInt32) -> UInt32 {
    value &>> bits | value &<< (32 &- bits)
  }
}
