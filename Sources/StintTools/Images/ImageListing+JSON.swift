import StintDaemon
import StintFormats
import StintMachine
import StintModel

extension ImageListing {
  /// The listing as one line of JSON. Later versions only add members.
  public var jsonText: String { ReportKind.disasm.text(of: json) }

  /// `{"version": 1, "language": 1, "sha256": "…", "policies": […], "devices": […], "image": {…}, …}`.
  var json: JSONValue {
    [
      "version": JSONValue(Int(ImageFile.rebuildableVersion)), "language": JSONValue(file.texts.language),
      "bytes": JSONValue(file.bytes.count), "sha256": JSONValue(digest),
      "policies": JSONValue(
        zip(file.texts.policies, file.texts.sources).map { policy, source in
          [
            "name": JSONValue(policy.name), "version": JSONValue(policy.version),
            "file": JSONValue(source.file),
          ]
        }),
      "devices": JSONValue(
        file.manifests.devices.map { entry in
          ["device": JSONValue(entry.device.path), "manifest": JSONValue(entry.mark.description)]
        }),
      "facts": JSONValue(
        file.manifests.facts.map { fact in
          ["path": JSONValue(fact.path), "schema": JSONValue(fact.mark.description)]
        }),
      "computed": JSONValue(
        file.computed.map { fact in
          ["path": JSONValue(fact.schema.path), "type": JSONValue(fact.schema.type.name)]
        }),
      "defaults": JSONValue(
        file.defaults.map { item in
          ["device": JSONValue(item.device.path), "wants": JSONValue(Self.wants(of: item))]
        }),
      "moves": JSONValue(
        file.moves.map { move in
          [
            "machine": JSONValue(move.machine), "state": JSONValue(state(move)),
            "rule": JSONValue(move.rule.description),
          ]
        }),
      "image": json(file.image),
      "client_image": file.perDemandImage.map(json) ?? .null,
    ]
  }

  private func json(_ image: Image) -> JSONValue {
    let printer = disassembler(image)
    return [
      "slots": JSONValue(
        image.slots.map { slot in
          [
            "kind": JSONValue(printer.describe(slot.kind)), "rule": JSONValue(slot.key.rule.description),
            "structure": JSONValue(slot.key.structure),
            "place": JSONValue([JSONValue(slot.place.lowerBound), JSONValue(slot.place.upperBound)]),
          ]
        }),
      "rules": JSONValue(image.rules.map { json($0, image, printer) }),
      "overrides": JSONValue(
        image.overrides.map { pair in
          ["winner": JSONValue(pair.winner), "loser": JSONValue(pair.loser)]
        }),
    ]
  }

  private func json(_ rule: ImageRule, _ image: Image, _ printer: Disassembler) -> JSONValue {
    func code(_ range: Range<Int>) -> JSONValue {
      JSONValue(image.code[range].map { JSONValue(printer.describe($0)) })
    }
    return [
      "rule": JSONValue(rule.id.description), "trigger": JSONValue(printer.describe(rule.trigger)),
      "inert": JSONValue(rule.isInert), "for_each_demand": JSONValue(rule.isPerDemand),
      "code": code(rule.code),
      "directives": JSONValue(
        image.directives[rule.directives].map { entry in
          ["wants": JSONValue(printer.describe(entry)), "until": code(entry.until)]
        }),
      "acts": JSONValue(image.acts[rule.acts].map { JSONValue("\($0)") }),
    ]
  }
}
