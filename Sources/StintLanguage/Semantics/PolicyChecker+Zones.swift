import StintModel
import StintUnits

extension PolicyChecker {
  /// The default of `exit_after` for a beacon's zone. The host has left the zone when it has not received the
  /// beacon for this time.
  private static let defaultExitDelay = TimeSpan.seconds(30)

  mutating func declare(zone item: ZoneItem) {
    guard declare(item.name) else { return }
    let enterAfter = item.enterAfter.flatMap { delay($0, what: "“enter_after”") } ?? .zero
    let exitAfter = item.exitAfter.flatMap { delay($0, what: "“exit_after”") }
    switch item.shape {
    case .missing: return
    case .circle(let latitude, let longitude, let radius):
      let metres = quantity(.quantity(radius), for: .length, what: "the radius")
      for (literal, most, what) in [(latitude, 90.0, "latitudes"), (longitude, 180, "longitudes")]
      where abs(literal.value) > most {
        report(
          .outOfRange, "\(what) go from -\(Quantity.number(most)) to \(Quantity.number(most))", literal.span,
          hint: "write the latitude first, in degrees")
      }
      guard let metres else { return }
      guard metres.value >= 1 else {
        report(.outOfRange, "the radius of a zone must be at least 1 m", radius.span)
        return
      }
      guard let place = Coordinate(latitude: latitude.value, longitude: longitude.value) else { return }
      zones[item.name.text] = Zone(
        shape: .circle(place, radius: metres.value), enterAfter: enterAfter, exitAfter: exitAfter ?? .zero)
    case .beacon(let identity, let major, let minor):
      if let rejectionReason = InputBounds.rejectionReason(forIdentity: identity.text) {
        report(.outOfRange, rejectionReason, identity.span)
        return
      }
      zones[item.name.text] = Zone(
        shape: .beacon(
          identity: identity.text, major: major.flatMap { number($0) }, minor: minor.flatMap { number($0) }),
        enterAfter: enterAfter, exitAfter: exitAfter ?? Self.defaultExitDelay)
    }
  }

  private mutating func delay(_ literal: QuantityLiteral, what: String) -> TimeSpan? {
    guard let quantity = quantity(.quantity(literal), for: .time, what: what) else { return nil }
    return wait(quantity, literal.span, what: what)
  }

  /// Returns a beacon's major or minor number; nil, with a report, when it is out of range.
  private mutating func number(_ literal: NumberLiteral) -> Int? {
    guard let number = Int(exactly: literal.value), (0...65535).contains(number) else {
      report(.outOfRange, "major and minor must be integers from 0 to 65535", literal.span)
      return nil
    }
    return number
  }

  /// Checks `inside(home)`, `enter(home)`, `exit(home)` and `heard(desk)`.
  mutating func zone(
    _ question: ZoneQuery, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    if question == .heard, namesDevice(arguments) {
      return checkHeard(Name(text: question.rawValue, span: span), arguments, span)
    }
    guard arguments.count == 1, case .path(let name) = arguments[0].kind else {
      report(
        .badArguments, "“\(question.rawValue)” takes a zone", span, hint: "as in: \(question.rawValue)(home)")
      return nil
    }
    guard let zone = zones[name.text] else {
      // A zone that is declared with errors has been reported already.
      if declared[name.text] == nil {
        reportUnknown(
          .unknownName, "no zone is called “\(name.text)”", name.span, name.text, among: zones.keys.sorted(),
          else: "declare it: zone \(name.text) = circle 47.05 8.31 radius 150 m")
      }
      return nil
    }
    used.insert(name.text)
    let isBeacon = zone.beaconFact != nil
    guard question != .heard || isBeacon else {
      report(
        .badArguments, "“heard” needs a beacon, and “\(name.text)” is a circle", name.span,
        hint: "ask: inside(\(name.text))")
      return nil
    }
    guard canBeDecided(zone, name) else {
      missingDevices.insert(
        zone.beaconFact.map { "a receiver of the beacon “\($0)”" } ?? "a device that publishes positions")
      return .unknown(.boolean, span)
    }
    noteDeciders(of: zone)
    return CheckedExpression(kind: .fact(compute(question, zone, name)), type: .boolean, span: span)
  }

  /// Adds the computed fact about a zone and returns its path.
  private mutating func compute(_ question: ZoneQuery, _ zone: Zone, _ name: Name) -> String {
    let path = question.path(ofZone: "\(policy.name)/\(name.text)")
    compute(
      ComputedFact(
        schema: FactSchema(path: path, type: .boolean, meaning: question.meaning),
        source: .zone(zone, question)))
    return path
  }

  /// Returns true when a device publishes positions (for a circle) or receives the beacon. Does not test
  /// whether the positions are accurate enough for the circle. Reports a zone without such a device.
  private mutating func canBeDecided(_ zone: Zone, _ name: Name) -> Bool {
    let isDecidable =
      zone.beaconFact.map { vocabulary.schema($0)?.type == .boolean }
      ?? vocabulary.manifests.contains { manifest in
        ["latitude", "longitude", "accuracy"].allSatisfy {
          vocabulary.fact("\(manifest.device.path).\($0)") != nil
        }
      }
    if !isDecidable {
      report(
        .missingOptionalDevice,
        zone.beaconFact.map { "no device receives its beacon “\($0)”: the zone stays unknown" }
          ?? "no device publishes positions: the zone stays unknown", name.span,
        severity: .note)
    }
    return isDecidable
  }

  /// Marks as used the aliases of the devices that determine whether the host is in the zone. The policy
  /// depends on these devices.
  private mutating func noteDeciders(of zone: Zone) {
    let receiver = zone.beaconFact.flatMap { vocabulary.schema($0)?.device }
    for (name, alias) in aliases {
      let isDecider =
        zone.beaconFact == nil
        ? alias.manifest?.publishesPositions(vocabulary) == true : alias.device == receiver
      if isDecider { used.insert(name) }
    }
  }

  /// Checks `watch home on gps`. While the directive is in force, the rule reads `inside(home)`, and only the
  /// devices of the directive find the position for this fact.
  mutating func watch(
    _ name: Name, _ target: SyntaxTarget, _ statement: SyntaxStatement
  ) -> (Directive.Action, [(DeviceID, Manifest?)])? {
    if let word = service(name) { return watch(word, name, target, statement) }
    guard let targets = devices(target, for: .watch, statement) else { return nil }
    guard let zone = zones[name.text], case .circle = zone.shape else {
      reportUnknown(
        .unknownName, "no zone with a radius is called “\(name.text)”", name.span, name.text,
        among: zones.keys.sorted(), else: "declare it: zone \(name.text) = circle 47.05 8.31 radius 150 m")
      return nil
    }
    used.insert(name.text)
    for case (let device, let manifest?) in targets
    where vocabulary.fact("\(device.path).latitude") == nil {
      report(
        .verbNotSupported, "\(device) does not publish positions, so it cannot watch a circle", target.span,
        label: "this is \(manifest.title)")
      return nil
    }
    _ = compute(.inside, zone, name)
    return (.locate(zone: "\(policy.name)/\(name.text)"), targets)
  }
}

extension ZoneQuery {
  fileprivate var meaning: String {
    switch self {
    case .inside: "whether the host is in the zone"
    case .enter: "true at the instant at which the host enters the zone"
    case .exit: "true at the instant at which the host leaves the zone"
    case .heard: "whether the beacon is in range"
    }
  }
}
