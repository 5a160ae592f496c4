import StintFormats
import StintModel

/// What a profile says about one device: members of its manifest that take the place of the reference phone's.
struct DevicePart: Sendable {
  let device: DeviceID
  /// Whole members: `states`, `events`, `fifo`.
  var members: [JSONMember] = []
  /// Single figures; those that are not named stay as they are.
  var figures: [JSONMember] = []

  init(_ device: DeviceID, _ members: [(String, JSONValue)], figures: [(String, JSONValue)] = []) {
    self.device = device
    self.members = members.map { JSONMember($0.0, $0.1) }
    self.figures = figures.map { JSONMember($0.0, $0.1) }
  }

  /// The manifest with this part in it.
  func applied(to manifest: JSONValue) -> JSONValue {
    var result = manifest.members ?? []
    for member in members { Self.set(member, in: &result) }
    if !figures.isEmpty {
      var all = manifest["figures"]?.members ?? []
      for figure in figures { Self.set(figure, in: &all) }
      Self.set(JSONMember("figures", JSONValue(all)), in: &result)
    }
    return JSONValue(result)
  }

  private static func set(_ member: JSONMember, in members: inout [JSONMember]) {
    if let place = members.firstIndex(where: { $0.name == member.name }) {
      members[place].value = member.value
    } else {
      members.append(member)
    }
  }
}

extension JSONValue {
  /// A power state of a manifest.
  static func powerState(_ name: String, _ power: String, on isOn: Bool) -> JSONValue {
    ["name": JSONValue(name), "power": JSONValue(power), "on": JSONValue(isOn)]
  }

  /// A priced event of a manifest.
  static func event(_ name: String, _ energy: String) -> JSONValue {
    ["name": JSONValue(name), "energy": JSONValue(energy)]
  }

  /// A move between two power states.
  static func move(_ from: String, _ to: String) -> JSONValue { [JSONValue(from), JSONValue(to)] }
}
