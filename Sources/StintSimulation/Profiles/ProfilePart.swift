import StintModel

/// One of the things that a profile is put together from: a phone, a radio, the motion sensors.
struct ProfilePart: Sendable {
  /// How `--profile` names it.
  let name: String
  /// What it is, for people.
  let title: String
  /// The devices that there are, sorted; nil for those of the reference phone.
  var devices: [DeviceID]? = nil
  /// What differs from the reference phone.
  let parts: [DevicePart]

  /// Whether it stands for a whole device rather than for a radio of one.
  var isWhole: Bool { devices != nil }

  /// All profiles, in the order in which they are listed.
  static let all: [ProfilePart] = [
    reference, Pixel5.part, Nexus5.part, M8Tracker.part, LTE2012.part, UMTS2012.part, UMTS2009.part,
    WiFi2012.part,
  ]

  /// The fixed arithmetic of the exact tests.
  static let reference = ProfilePart(
    name: "reference", title: "the reference phone", devices: ReferencePhone.deviceNames, parts: [])
}
