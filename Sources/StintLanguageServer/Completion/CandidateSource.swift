import StintAuthoring
import StintLanguage
import StintModel
import StintUnits

/// Produces the candidates of a completion for an `Expectation`.
struct CandidateSource {
  let reading: ParsedDocument
  /// The rules of other policies, as `policy/rule`.
  let foreignRules: [String]
  /// True when conditions may read facts of the client (`client.*`).
  let asksClient: Bool
  let isTest: Bool

  private var vocabulary: Vocabulary { reading.vocabulary }

  func candidates(for expectation: Expectation) -> [Candidate] {
    switch expectation {
    case .keywords(let words): words.map(keyword)
    case .wholeDevices: vocabulary.manifests.map { device($0.device.path, $0) }
    case .devices: devices()
    case .operand(let dimension): operands(dimension)
    case .facts: facts()
    case .words(let name): words(of: name)
    case .units(let dimensions): units(dimensions)
    case .rules:
      symbols(.rule, .event, "rule") + symbols(.budget, .event, "budget")
        + symbols(.machine, .event, "machine")
        + foreignRules.map { Candidate(label: $0, kind: .event, detail: "rule of another policy", rank: 7) }
    case .schedules: symbols(.schedule, .type, "schedule")
    case .zones: symbols(.zone, .type, "zone")
    case .states(let machine):
      reading.states(of: machine).map {
        Candidate(label: $0, kind: .enumMember, detail: "state", rank: 0)
      }
    case .settings(let name, let more): settings(of: name, more)
    case .attributes(let name): attributes(of: name)
    case .values(let setting, let name): values(of: setting, name)
    case .parameters(let dimensions): parameters { dimensions.contains($0) }
    }
  }

  private func keyword(_ word: String) -> Candidate {
    Candidate(
      label: word, kind: .keyword, meaning: LanguageDefinition.keyword(word)?.word.meaning ?? "")
  }

  private func symbols(_ kind: Symbol.Kind, _ shown: Candidate.Kind, _ detail: String) -> [Candidate] {
    var seen: Set<String> = []
    return reading.index.definitions.filter { $0.symbol.kind == kind && seen.insert($0.symbol.name).inserted }
      .map { Candidate(label: $0.symbol.name, kind: shown, detail: detail, rank: 1) }
  }

  // MARK: Devices

  private func devices() -> [Candidate] {
    var result: [Candidate] = []
    for case .use(let item) in reading.file.items where !item.alias.text.isEmpty {
      var candidate = device(item.alias.text, vocabulary.manifest(item.device(in: vocabulary)))
      candidate.rank = 0
      result.append(candidate)
    }
    return result + vocabulary.manifests.map { device($0.device.path, $0) }
  }

  private func device(_ name: String, _ manifest: Manifest?) -> Candidate {
    Candidate(label: name, kind: .module, detail: manifest?.title ?? "", rank: 6)
  }

  private func manifest(_ name: String?) -> Manifest? {
    name.flatMap { vocabulary.manifest(reading.device($0) ?? DeviceID($0)) }
  }

  // MARK: Conditions

  private func operands(_ dimension: Dimension?) -> [Candidate] {
    let types = DeclaredTypes.of(reading.source, vocabulary: vocabulary)
    func rank(_ type: FactType?) -> Int { dimension != nil && type?.dimension == dimension ? 0 : 2 }
    var result: [Candidate] = []
    for definition in reading.index.definitions {
      let name = definition.symbol.name
      switch definition.symbol.kind {
      case .let:
        let type = types[name]
        result.append(Candidate(label: name, kind: .variable, detail: type?.name ?? "let", rank: rank(type)))
      case .budget:
        result.append(
          Candidate(label: name, kind: .variable, detail: "budget", rank: rank(.quantity(.ratio))))
      case .machine: result.append(Candidate(label: name, kind: .type, detail: "machine", rank: 2))
      default: continue
      }
    }
    result += parameters { $0 == dimension || dimension == nil }
    result += facts().map { candidate in
      var candidate = candidate
      candidate.rank += rank(reading.type(of: candidate.label))
      return candidate
    }
    result += clientFacts().map { candidate in
      var candidate = candidate
      candidate.rank += rank(reading.type(of: candidate.label))
      return candidate
    }
    result += LanguageDefinition.functions.filter { isTest || !$0.isForTests }.map { function in
      Candidate(
        label: function.name, kind: .function, detail: function.word.form, meaning: function.word.meaning,
        rank: 6)
    }
    guard dimension == nil else { return result }
    return result + ["not", "true", "false", "time"].map { Candidate(label: $0, kind: .keyword, rank: 7) }
  }

  private func parameters(_ fits: (Dimension) -> Bool) -> [Candidate] {
    reading.file.items.compactMap { item in
      guard case .parameter(let item) = item, let quantity = item.value.quantity, fits(quantity.dimension)
      else { return nil }
      return Candidate(label: item.name.text, kind: .constant, detail: "param, \(quantity)", rank: 0)
    }
  }

  /// Returns all facts. The label of a fact is its full path, or begins with the device's short name if the
  /// policy declares one.
  private func facts() -> [Candidate] {
    var aliases: [DeviceID: String] = [:]
    for case .use(let item) in reading.file.items where !item.alias.text.isEmpty {
      let device = item.device(in: vocabulary)
      if aliases[device] == nil { aliases[device] = item.alias.text }
    }
    return vocabulary.facts.map { schema in
      var label = schema.path
      var rank = 4
      if let device = schema.device, let alias = aliases[device], schema.path.hasPrefix(device.path + ".") {
        label = alias + schema.path.dropFirst(device.path.count)
        rank = 2
      }
      return Candidate(
        label: label, kind: .field, detail: schema.type.name, meaning: schema.meaning, rank: rank)
    }
  }

  /// Returns the facts of the client that a per-demand rule may read.
  private func clientFacts() -> [Candidate] {
    guard asksClient, reading.device("client") == nil else { return [] }
    return ClientFact.names.compactMap { name in
      guard let fact = ClientFact.description(of: name, manifests: vocabulary.manifests) else { return nil }
      return Candidate(
        label: name, kind: .field, detail: fact.type?.name ?? "text", meaning: fact.meaning, rank: 4)
    }
  }

  private func words(of name: String) -> [Candidate] {
    let states = candidates(for: .states(of: name))
    if !states.isEmpty { return states }
    switch reading.schema(of: name)?.type {
    case .symbol(let words):
      return words.map { Candidate(label: $0, kind: .enumMember, detail: "word of \(name)", rank: 0) }
    case .boolean: return ["true", "false"].map { Candidate(label: $0, kind: .enumMember, rank: 0) }
    default: return []
    }
  }

  // MARK: Values

  private func units(_ dimensions: [Dimension]) -> [Candidate] {
    let wanted = dimensions.filter { $0 != .none }
    return vocabulary.units.all.filter { wanted.isEmpty ? dimensions.isEmpty : wanted.contains($0.dimension) }
      .map { Candidate(label: $0.symbol, kind: .unit, detail: $0.dimension.name, rank: 0) }
  }

  private func attributes(of name: String?) -> [Candidate] {
    manifest(name)?.ownAttributes.map { schema in
      Candidate(label: schema.name, kind: .property, detail: HoverText.sentence(schema), rank: 1)
    } ?? []
  }

  private func settings(of name: String?, _ more: [String]) -> [Candidate] {
    guard let manifest = manifest(name) else { return more.map(setting) }
    var names = manifest.attributes.map(\.name)
    if manifest.kind == .sensor { names += Self.names(.sensor) }
    if manifest.kind == .sensor, manifest.fifo > 0 { names += Self.names(.queue) }
    if manifest.kind == .radio, more.isEmpty { names += Self.names(.test) }
    return Set(names + more).sorted().map { name in
      var candidate = setting(name)
      candidate.detail = manifest.attribute(named: name).map { HoverText.sentence($0) } ?? ""
      return candidate
    }
  }

  private static func names(_ scope: SettingDefinition.Scope) -> [String] {
    LanguageDefinition.settings.filter { $0.scope == scope }.map(\.name)
  }

  private func setting(_ name: String) -> Candidate {
    Candidate(
      label: name, kind: .property, meaning: LanguageDefinition.setting(name)?.word.meaning ?? "", rank: 1)
  }

  private func values(of setting: String, _ name: String?) -> [Candidate] {
    let schema = manifest(name)?.attribute(named: setting)
    switch schema?.type {
    case .symbol(let words): return words.map { Candidate(label: $0, kind: .enumMember, rank: 0) }
    case .quantity(let dimension):
      guard case .listed(let priced)? = schema?.cost else { return parameters { $0 == dimension } }
      return priced.map { Candidate(label: $0.value.description, kind: .enumMember, rank: 0) }
        + parameters { $0 == dimension }
    case .boolean: return ["true", "false"].map { Candidate(label: $0, kind: .enumMember, rank: 0) }
    case nil:
      let general = LanguageDefinition.setting(setting)
      if let general, [.sensor, .queue].contains(general.scope), case .symbol(let words)? = general.type {
        return words.map { Candidate(label: $0, kind: .enumMember, rank: 0) }
      }
      return parameters { $0 == .time }
    }
  }
}
