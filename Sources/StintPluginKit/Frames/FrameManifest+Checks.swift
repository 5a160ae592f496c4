public import StintModel
import StintUnits

extension FrameManifest {
  /// Makes the frame that a plugin with this manifest sends, with facts in base units.
  public init(of manifest: Manifest) {
    self.init(
      device: manifest.device.path, states: manifest.states.map(\.name),
      events: manifest.events.map(\.name),
      channels: manifest.channels.map { Entry($0.name, unit: $0.unit) },
      facts: manifest.facts.map { Entry(Self.name(of: $0, in: manifest), unit: Self.unit(of: $0)) })
  }

  /// Returns the factors from the plugin's units to base units, one for each fact of the manifest.
  ///
  /// - Throws: a `manifest` fault when the plugin's names or units differ from the manifest.
  package func scales(for manifest: Manifest) throws(FrameFault) -> [Double] {
    try expect(device == manifest.device.path, "declares the device “\(device)”")
    try expect(
      states == manifest.states.map(\.name), "declares other states than its manifest: \(Self.list(states))")
    try expect(
      events == manifest.events.map(\.name), "declares other events than its manifest: \(Self.list(events))")
    try expect(
      channels.count == manifest.channels.count,
      "declares more or fewer channels than its manifest: \(channels.count) instead of "
        + "\(manifest.channels.count)"
    )
    for (entry, channel) in zip(channels, manifest.channels) {
      try expect(
        entry.name == channel.name && entry.unit == channel.unit,
        "declares “\(entry.name)” in “\(entry.unit)”, but its manifest has “\(channel.name)” in "
          + "“\(channel.unit)”"
      )
    }
    try expect(
      facts.count == manifest.facts.count,
      "declares more or fewer facts than its manifest: \(facts.count) instead of \(manifest.facts.count)")
    var scales: [Double] = []
    for (entry, schema) in zip(facts, manifest.facts) {
      let name = Self.name(of: schema, in: manifest)
      try expect(entry.name == name, "declares a fact “\(entry.name)” where its manifest has “\(name)”")
      scales.append(try Self.scale(entry, schema, manifest))
    }
    return scales
  }

  private static func scale(
    _ entry: Entry, _ schema: FactSchema, _ manifest: Manifest
  ) throws(FrameFault) -> Double {
    guard case .quantity(let dimension) = schema.type else {
      if entry.unit.isEmpty { return 1 }
      throw FrameFault(
        .manifest, "declares “\(entry.name)” in “\(entry.unit)”, but its manifest has \(schema.type.name)")
    }
    if entry.unit.isEmpty, dimension == .none { return 1 }
    guard let unit = manifest.unit(named: entry.unit), unit.dimension == dimension else {
      throw FrameFault(
        .manifest, "declares “\(entry.name)” in “\(entry.unit)”, but its manifest has \(dimension.name)")
    }
    return unit.scale
  }

  private func expect(_ truth: Bool, _ sentence: @autoclosure () -> String) throws(FrameFault) {
    if !truth { throw FrameFault(.manifest, sentence()) }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }

  /// Returns the name relative to the device, or the full path when the fact is outside the device.
  private static func name(of schema: FactSchema, in manifest: Manifest) -> String {
    let prefix = manifest.device.path + "."
    return schema.path.hasPrefix(prefix) ? String(schema.path.dropFirst(prefix.count)) : schema.path
  }

  private static func unit(of schema: FactSchema) -> String {
    guard case .quantity(let dimension) = schema.type else { return "" }
    return MeasureUnit.all.first { $0.dimension == dimension && $0.scale == 1 }?.symbol
      ?? MeasureUnit.all.first { $0.dimension == dimension }?.symbol ?? schema.unit?.symbol ?? ""
  }
}
