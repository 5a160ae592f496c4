public import StintModel
import StintUnits

extension FrameManifest {
  /// What a plugin for this manifest says, with facts in base units.
  public init(of manifest: Manifest) {
    self.init(
      device: manifest.device.path, states: manifest.states.map(\.name),
      events: manifest.events.map(\.name),
      channels: manifest.channels.map { Entry($0.name, unit: $0.unit) },
      facts: manifest.facts.map { Entry(Self.name(of: $0, in: manifest), unit: Self.unit(of: $0)) })
  }

  /// What the plugin's numbers have to be multiplied with, one for each fact of the manifest.
  ///
  /// - Throws: a `manifest` fault when the plugin speaks of something else than the manifest.
  public func scales(for manifest: Manifest) throws(FrameFault) -> [Double] {
    try expect(device == manifest.device.path, "says that it is “\(device)”")
    try expect(
      states == manifest.states.map(\.name), "has the states \(Self.list(states)) by its own account")
    try expect(
      events == manifest.events.map(\.name), "has the events \(Self.list(events)) by its own account")
    try expect(
      channels.count == manifest.channels.count,
      "has \(channels.count) channels by its own account, and its manifest \(manifest.channels.count)")
    for (said, channel) in zip(channels, manifest.channels) {
      try expect(
        said.name == channel.name && said.unit == channel.unit,
        "says that “\(said.name)” is in “\(said.unit)”, and its manifest has “\(channel.name)” in “\(channel.unit)”"
      )
    }
    try expect(
      facts.count == manifest.facts.count,
      "has \(facts.count) facts by its own account, and its manifest \(manifest.facts.count)")
    var scales: [Double] = []
    for (said, schema) in zip(facts, manifest.facts) {
      let name = Self.name(of: schema, in: manifest)
      try expect(said.name == name, "has a fact “\(said.name)” where its manifest has “\(name)”")
      scales.append(try Self.scale(said, schema))
    }
    return scales
  }

  private static func scale(_ said: Entry, _ schema: FactSchema) throws(FrameFault) -> Double {
    guard case .quantity(let dimension) = schema.type else {
      if said.unit.isEmpty { return 1 }
      throw FrameFault(
        .manifest, "says that “\(said.name)” is in “\(said.unit)”, and it is \(schema.type.name)")
    }
    if said.unit.isEmpty, dimension == .none { return 1 }
    guard let unit = MeasureUnit.named(said.unit), unit.dimension == dimension else {
      throw FrameFault(
        .manifest, "says that “\(said.name)” is in “\(said.unit)”, and its manifest says \(dimension.name)")
    }
    return unit.scale
  }

  private func expect(_ truth: Bool, _ sentence: @autoclosure () -> String) throws(FrameFault) {
    if !truth { throw FrameFault(.manifest, sentence()) }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }

  /// The name behind the device's, or the whole path where it is somewhere else.
  private static func name(of schema: FactSchema, in manifest: Manifest) -> String {
    let prefix = manifest.device.path + "."
    return schema.path.hasPrefix(prefix) ? String(schema.path.dropFirst(prefix.count)) : schema.path
  }

  private static func unit(of schema: FactSchema) -> String {
    guard case .quantity(let dimension) = schema.type else { return "" }
    return MeasureUnit.all.first { $0.dimension == dimension && $0.scale == 1 }?.symbol
      ?? MeasureUnit.all.first { $0.dimension == dimension }?.symbol ?? ""
  }
}
