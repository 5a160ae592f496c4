public import StintModel
import StintUnits

/// The devices for which an image was compiled, and the facts that the image reads. Each device and each fact
/// has a hash of its definition.
public struct ImageFingerprints: Hashable, Sendable {
  /// A device and the hash of its manifest.
  public struct Entry: Hashable, Sendable {
    /// The id of the device.
    public var device: DeviceID
    /// The hash of the device's manifest.
    public var mark: ContentHash
  }

  /// A fact that the image reads, and the hash of its schema.
  public struct Fact: Hashable, Sendable {
    /// The path of the fact, for example `battery.level`.
    public var path: String
    /// The hash of the fact's schema.
    public var mark: ContentHash
  }

  /// All devices of the vocabulary at compile time, sorted by path.
  public var devices: [Entry]
  /// The facts that are read by the images of the file. `ImageFact.number` in the file is an index into this
  /// array.
  public var facts: [Fact]

  /// Creates the hashes of all devices of a vocabulary, and of the facts with the given indexes.
  init(of vocabulary: Vocabulary, facts numbers: [Int]) {
    devices = vocabulary.manifests.map { manifest in
      var writer = ImageWriter()
      manifest.write(to: &writer)
      return Entry(device: manifest.device, mark: ContentHash(of: writer.bytes))
    }
    facts = numbers.map { Fact(vocabulary.facts[$0]) }
  }

  /// Returns the index of each fact in a vocabulary.
  ///
  /// - Throws: `Problem` when a fact is missing or its schema has changed.
  func numbers(in vocabulary: Vocabulary) throws(Problem) -> [Int] {
    var numbers: [Int] = []
    for fact in facts {
      guard let number = vocabulary.fact(fact.path) else {
        throw Self.trap("the image reads “\(fact.path)”, which nothing publishes")
      }
      guard Fact(vocabulary.facts[number]) == fact else {
        throw Self.trap("the declaration of “\(fact.path)” has changed since the image was compiled")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Throws unless the devices and their manifests equal those of a vocabulary.
  func checkDevices(of vocabulary: Vocabulary) throws(Problem) {
    let present = ImageFingerprints(of: vocabulary, facts: []).devices
    guard devices != present else { return }
    let ownDevices = Set(devices.map(\.device))
    let marks = Dictionary(present.map { ($0.device, $0.mark) }, uniquingKeysWith: { first, _ in first })
    if let gone = devices.first(where: { marks[$0.device] == nil }) {
      throw Self.trap("the image was compiled for the device “\(gone.device)”, which is missing")
    }
    if let new = present.first(where: { !ownDevices.contains($0.device) }) {
      throw Self.trap("the device “\(new.device)” was added after the image was compiled")
    }
    let changed = devices.first { marks[$0.device] != $0.mark }
    throw Self.trap(
      "the manifest of “\(changed?.device ?? "a device")” has changed since the image was compiled")
  }

  private static func trap(_ sentence: String) -> Problem {
    Problem(
      .manifest, place: "the manifests", cause: sentence,
      remedy: "`stint compile IMAGE -o IMAGE` compiles its texts for the present devices")
  }
}

extension ImageFingerprints.Fact {
  fileprivate init(_ schema: FactSchema) {
    var writer = ImageWriter()
    schema.writeDefinition(to: &writer)
    self.init(path: schema.path, mark: ContentHash(of: writer.bytes))
  }
}

extension ImageFingerprints.Fact: ImageCodable {
  static var minBytes: Int { 20 }

  func write(to writer: inout ImageWriter) { writer.write(path, mark) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(path: try reader.read(), mark: try reader.read())
  }
}

extension ImageFingerprints: ImageCodable {
  func write(to writer: inout ImageWriter) { writer.write(devices, facts) }

  init(from reader: inout ImageReader) throws(Problem) {
    devices = try reader.read()
    facts = try reader.read()
  }
}

extension ImageFingerprints.Entry: ImageCodable {
  static var minBytes: Int { 20 }

  func write(to writer: inout ImageWriter) { writer.write(device, mark) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(device: try reader.read(), mark: try reader.read())
  }
}

extension ContentHash: ImageCodable {
  static var minBytes: Int { 16 }

  func write(to writer: inout ImageWriter) {
    writer.fixed(low)
    writer.fixed(high)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let low = try reader.fixed(UInt64.self)
    self.init(high: try reader.fixed(UInt64.self), low: low)
  }
}

extension Manifest {
  /// Writes the content of the manifest as input of the manifest's hash. This form is never decoded. It omits
  /// `about`, the units, the stated roles and the stated classes. Of each fact, it omits `reading`,
  /// `isAlwaysPublished`, `maxRate`, `longestSampling`, `unit` and `meaning`.
  fileprivate func write(to writer: inout ImageWriter) {
    writer.write([device.path, kind.rawValue, title, vendor])
    writer.write(ladder?.name)
    writer.write(ladder?.rank)
    writer.write(ladder?.serves)
    writer.index(states.count)
    for state in states {
      writer.write(state.name)
      writer.write(state.power.nanowatts)
      writer.write(state.perHertz.nanowatts)
      writer.write(state.isOn)
    }
    writer.write(transitions.flatMap { [$0.from, $0.to] })
    writer.write([initial, safe, fifo])
    if !inputs.isEmpty { writer.write(inputs.map(\.path)) }
    writer.index(events.count)
    for event in events {
      writer.write(event.name)
      writer.write(event.energy)
    }
    writer.write(verbs.map(\.rawValue))
    writer.index(attributes.count)
    for attribute in attributes { attribute.write(to: &writer) }
    writer.write(channels.flatMap { [$0.name, $0.unit] })
    // When no channel has `options` or `bytes`, nothing is written here. So the hash of such a manifest is
    // the same as in releases in which channels had only units.
    let words = channels.flatMap(\.options)
    if !words.isEmpty { writer.write(words) }
    let sizes = channels.compactMap(\.bytes)
    if !sizes.isEmpty { writer.write(sizes) }
    writer.index(facts.count)
    for fact in facts { fact.writeDefinition(to: &writer) }
    writer.index(figures.count)
    for (name, figure) in figures.sorted(by: { $0.key < $1.key }) {
      writer.write(name)
      writer.write(figure.value)
      writer.write(figure.dimension)
    }
  }
}

extension FactSchema {
  /// Writes the definition of the fact as input of its hash. This form is never decoded. It omits `reading`,
  /// `isAlwaysPublished`, `maxRate`, `longestSampling`, `unit` and `meaning`.
  fileprivate func writeDefinition(to writer: inout ImageWriter) {
    writer.write(path, type, range, maxAge, fastest, isNoisy, device)
  }
}

extension AttributeSchema {
  fileprivate func write(to writer: inout ImageWriter) {
    writer.write(name)
    writer.write(type)
    writer.write(range)
    switch fallback {
    case .unknown: writer.byte(0)
    case .boolean(let truth): writer.write(case: 1, truth)
    case .number(let number): writer.write(case: 2, number)
    case .symbol(let index): writer.write(case: 3, index)
    }
    // The costs determine which of two values is cheaper. An attribute without costs adds nothing here.
    // So the hash of a manifest without costs is the same as in releases that had no costs.
    switch cost {
    case nil: break
    case .listed(let priced)?:
      for entry in priced {
        writer.write(entry.value.description)
        writer.write(entry.power.nanowatts)
      }
    case .range(let low, let high)?: writer.write([Int(low.nanowatts), Int(high.nanowatts)])
    }
  }
}
