import StintModel
import StintUnits

/// Random values that depend only on a seed, a device, an instant and a salt.
///
/// The result depends neither on the caller, nor on the number or order of calls, nor on the machine.
struct Noise: Sendable {
  private let key: UInt64

  /// Makes the noise of one device; `seed` is the seed of the scenario.
  init(seed: UInt64, device: DeviceID) { self.init(seed: seed, name: device.path) }

  /// Makes the noise for a name, such as the path of a device. Different names have independent noise.
  init(seed: UInt64, name: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.key = Self.mixed(hash ^ Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15))
  }

  /// Returns 64 uniformly distributed bits for an instant.
  @inline(__always)
  func bits(_ instant: Instant, salt: UInt64 = 0) -> UInt64 {
    bits(UInt64(bitPattern: instant.nanoseconds), salt: salt)
  }

  /// Returns 64 uniformly distributed bits for a number.
  @inline(__always)
  func bits(_ number: UInt64, salt: UInt64 = 0) -> UInt64 {
    Self.mixed((key ^ (salt &* 0xD6E8_FEB8_6659_FD93)) &+ number &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Returns a uniform number in 0..<1.
  @inline(__always)
  func uniform(_ instant: Instant, salt: UInt64 = 0) -> Double { Self.unit(bits(instant, salt: salt)) }

  /// Returns an approximately normal number with mean 0 and standard deviation 1, within ±√12. It is the
  /// scaled sum of four uniform numbers.
  func gaussian(_ instant: Instant, salt: UInt64 = 0) -> Double {
    let word = bits(instant, salt: salt)
    let sum = (word & 0xFFFF) &+ (word >> 16 & 0xFFFF) &+ (word >> 32 & 0xFFFF) &+ (word >> 48)
    return (Double(sum) - 131_070) * (1.732_050_807_568_877_2 / 65_535.5)
  }

  @inline(__always)
  static func unit(_ bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    var word = value
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
