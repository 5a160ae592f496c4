import StintFormats
import StintLanguage
import StintModel
import StintUnits

/// A device that policies use, as `stint eval` prints it.
struct EvaluatedDevice {
  let device: DeviceID
  /// The index of the device in the vocabulary.
  let number: Int
  /// The key in the output: the policies' alias, or the device's path when the aliases conflict.
  let key: String
  let isRadio: Bool

  /// Returns the `use` declarations of the policies: alias and device, in the order of the files.
  static func uses(in sources: [SourceText]) -> [(alias: String, device: DeviceID)] {
    sources.flatMap { source in
      Parser.parse(source, units: .standard).file.items.compactMap { item in
        guard case .use(let use) = item else { return nil }
        return (use.alias.text, DeviceID(use.path.text))
      }
    }
  }

  /// Returns the sensors and radios of the declarations, without duplicates.
  static func all(
    of uses: [(alias: String, device: DeviceID)], vocabulary: Vocabulary
  ) -> [EvaluatedDevice] {
    var devices: [EvaluatedDevice] = []
    for use in uses {
      guard let number = vocabulary.device(use.device), !devices.contains(where: { $0.number == number })
      else {
        continue
      }
      let kind = vocabulary.manifests[number].kind
      guard kind == .sensor || kind == .radio else { continue }
      let isShared = uses.contains { ($0.alias == use.alias) != ($0.device == use.device) }
      devices.append(
        EvaluatedDevice(
          device: use.device, number: number, key: isShared ? use.device.path : use.alias,
          isRadio: kind == .radio))
    }
    return devices
  }

  /// Returns the state of the device (`on`) and the members of its grant as JSON, in base units. Without a
  /// grant, the JSON contains only `on`; with a grant that is not served, only `on` and the status.
  func json(isOn: Bool, grant: Grant?) -> JSONValue {
    var members = [JSONMember("on", JSONValue(isOn))]
    guard let grant else { return JSONValue(members) }
    members.append(JSONMember("standing", JSONValue(grant.status.rawValue)))
    guard grant.status == .served else { return JSONValue(members) }
    if let provider = grant.provider, provider != device {
      members.append(JSONMember("by", JSONValue(provider.path)))
    }
    if let accuracy = grant.accuracy { members.append(JSONMember("accuracy", JSONValue(accuracy))) }
    if let period = grant.period, period > .zero {
      members.append(JSONMember("rate", JSONValue(1e9 / Double(period.nanoseconds))))
    }
    if let latency = grant.latency { members.append(JSONMember("latency", JSONValue(latency.seconds))) }
    if !grant.holds.isEmpty {
      members.append(JSONMember("holds", JSONValue(grant.holds.map(Self.json))))
    }
    return JSONValue(members)
  }

  private static func json(_ hold: Hold) -> JSONValue {
    let bounds = hold.bounds.map { bound in
      switch bound {
      case .time(let span): JSONMember("time", JSONValue(span.seconds))
      case .distance(let metres): JSONMember("distance", JSONValue(metres))
      case .items(let count): JSONMember("items", JSONValue(count))
      case .data(let bytes): JSONMember("bytes", JSONValue(bytes))
      }
    }
    return ["rule": JSONValue(hold.rule.rule), "until": JSONValue(bounds)]
  }
}
