public import StintModel
public import StintUnits

/// Reads scenarios; `Scenario` describes the format.
///
/// All problems of a file are reported at once, each with its line and column. A JSON syntax error is
/// reported alone. When the caller passes the vocabulary of a bus, the reader also checks the names of
/// devices and facts, and the values in `facts`. The reader checks these names and values only if the file
/// has no other problem.
public enum ScenarioReader {
  static let keys = [
    "stint_scenario", "name", "title", "start", "time_zone", "duration", "profile", "devices", "world",
    "clients", "units", "declares", "facts", "faults", "beacons", "values",
  ]

  /// Returns the scenario in a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `-` is standard input.
  ///   - kinds: the kinds of requests that clients may make.
  ///   - vocabulary: the known devices and facts, with which the names in the scenario are compared. If nil,
  ///     the reader does not check names.
  /// - Throws: `Problem` when the file cannot be read, or with all mistakes of the file.
  public static func scenario(
    path: String, requests kinds: RequestKinds, checking vocabulary: Vocabulary? = nil
  ) throws(Problem) -> Scenario {
    let bytes = try WholeFile.bytes(of: path)
    return try scenario(of: bytes, source: path, requests: kinds, checking: vocabulary)
  }

  /// Returns the scenario in `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - source: the name of the file in errors.
  ///   - kinds: the kinds of requests that clients may make.
  ///   - vocabulary: the known devices and facts, with which the names in the scenario are compared. If nil,
  ///     the reader does not check names.
  /// - Throws: `Problem` with all mistakes of the file.
  public static func scenario(
    of bytes: [UInt8], source: String, requests kinds: RequestKinds, checking vocabulary: Vocabulary? = nil
  ) throws(Problem) -> Scenario {
    let findings = JSONFindings(source: source)
    let value: JSONValue
    value = try JSONReader.value(of: bytes, source: source)
    let root = JSONField(value: value, path: "", findings: findings).document("stint_scenario", keys: keys)
    let scenario = root.flatMap { read($0, kinds) }
    // An element that could not be read is missing in `scenario`, so later elements have wrong indices. Names
    // are then not checked.
    if let scenario, let vocabulary, findings.problems.isEmpty {
      ScenarioNames(root: value, findings: findings, vocabulary: vocabulary).check(scenario)
    }
    try findings.check()
    guard let scenario else { preconditionFailure("reading failed without a problem") }
    return scenario
  }

  private static func read(_ root: JSONObject, _ kinds: RequestKinds) -> Scenario? {
    UnitReading.units(root)
    let name = root.required("name")?.text()
    let title = root.optional("title")?.text() ?? ""
    let start = root.required("start").flatMap { time($0) }
    let timeZone = root.optional("time_zone").flatMap { rules($0, start: start) }
    let duration = root.required("duration")?.span(like: "10 h", atLeast: TimeSpan(nanoseconds: 1))
    let profile = root.optional("profile")?.text()
    let world = root.required("world")?.object(keys: ["origin", "legs"])
    let origin = world?.required("origin").flatMap { coordinate($0) }
    let legs = world?.optional("legs")?.items()?.compactMap { leg($0) } ?? []
    let devices = root.optional("devices").map { names($0).map { DeviceID($0) } }
    let clients = list(root, "clients") { client($0, kinds) }
    let declares = list(root, "declares") { FactSchemaReading.fact($0, of: nil) }
    let changes = list(root, "facts") { change($0) }
    let faults = list(root, "faults") { fault($0) }
    let beacons = list(root, "beacons") { beacon($0) }
    let values = list(root, "values") { scriptedValue($0) }
    refuseDuplicates(root, "clients", clients.map(\.name.name))
    refuseDuplicates(root, "declares", declares.map(\.path))
    refuseDuplicates(root, "values", values.map(\.path), named: "of")
    guard let name, let start, let duration, let origin else { return nil }
    return Scenario(
      name: name, title: title, start: start.instant, timeZone: timeZone ?? .fixed(start.offset),
      duration: duration,
      profile: profile, devices: devices, origin: origin, legs: legs, clients: clients, declares: declares,
      changes: changes, faults: faults, beacons: beacons, values: values)
  }

  /// Reports duplicate names in an array; does nothing unless every element was read.
  private static func refuseDuplicates(
    _ root: JSONObject, _ key: String, _ names: [String], named member: String = "name"
  ) {
    guard let items = root.optional(key)?.value.items, items.count == names.count else { return }
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      root.findings.report(
        .duplicate, at: items[index].place, path: "\(key)[\(index)].\(member)", "“\(name)” appears twice",
        remedy: "give each a name of its own")
    }
  }

  private static func time(_ field: JSONField) -> (instant: Instant, offset: TimeSpan)? {
    guard let text = field.text() else { return nil }
    if let time = CalendarTime.parse(text) { return time }
    field.report(
      .value, "“\(text)” is not a time in ISO 8601 format", remedy: "write it as “2026-05-16T08:00:00+02:00”")
    return nil
  }

  /// Reads the rules of a time zone. The rules must agree with the UTC offset of the start, unless this
  /// offset is zero.
  private static func rules(_ field: JSONField, start: (instant: Instant, offset: TimeSpan)?)
    -> TimeZoneRules?
  {
    guard let text = field.text() else { return nil }
    let rules: TimeZoneRules
    do throws(Problem) {
      if let offset = try TimeZoneRules(distanceFromUTC: text) {
        rules = offset
      } else {
        rules = try TimeZoneRules(text)
      }
    } catch {
      field.report(
        .value, "“\(text)” is not a time zone: \(error.cause)",
        remedy: "write it as “UTC+1” or “CET-1CEST,M3.5.0,M10.5.0/3”, or leave it out")
      return nil
    }
    if let start, start.offset != .zero, start.offset != rules.offset(at: start.instant) {
      field.report(
        .value, "the UTC offset of “start” differs from the offset of the time zone at that time",
        remedy: "write the start with \(CalendarTime.text(rules.offset(at: start.instant))), or in UTC with Z"
      )
    }
    return rules
  }

  static func coordinate(_ field: JSONField) -> Coordinate? {
    guard let items = field.items() else { return nil }
    guard items.count == 2 else {
      field.report(
        .value, "expected two numbers, found \(items.count)", remedy: "write [47.05, 8.31]")
      return nil
    }
    guard let latitude = items[0].number(), let longitude = items[1].number() else { return nil }
    if let place = Coordinate(latitude: latitude, longitude: longitude) { return place }
    let isLatitude = abs(latitude) > 90
    items[isLatitude ? 0 : 1].report(
      .value, isLatitude ? "latitude \(latitude) is out of range" : "longitude \(longitude) is out of range",
      remedy: "write the latitude (-90 to 90), then the longitude (-180 to 180)")
    return nil
  }

  /// Reads an array of strings and reports duplicates.
  private static func names(_ field: JSONField) -> [String] {
    var names: [String] = []
    for item in field.items() ?? [] {
      guard let name = item.text() else { continue }
      if names.contains(name) { item.report(.duplicate, "“\(name)” appears twice", remedy: "remove one") }
      names.append(name)
    }
    return names
  }

  static func list<Item>(_ object: JSONObject, _ key: String, _ read: (JSONField) -> Item?) -> [Item] {
    object.optional(key)?.items()?.compactMap(read) ?? []
  }
}

/// Checks the names in a scenario against the known devices and facts.
struct ScenarioNames {
  let root: JSONValue
  let findings: JSONFindings
  let vocabulary: Vocabulary

  /// Reports every unknown device and fact, and every value that its fact cannot have.
  func check(_ scenario: Scenario) {
    for (index, device) in (scenario.devices ?? []).enumerated() { check(device, "devices[\(index)]") }
    for (index, fault) in scenario.faults.enumerated() where fault.kind.strikesDevice {
      check(fault.device, "faults[\(index)].device")
    }
    for (number, client) in scenario.clients.enumerated() {
      for (index, demand) in client.demands.enumerated() {
        check(demand.target, "clients[\(number)].demands[\(index)].target")
      }
      for (index, series) in client.transfers.enumerated() {
        check(series.target, "clients[\(number)].transfers[\(index)].target")
      }
    }
    let all = Vocabulary(manifests: vocabulary.manifests, declared: vocabulary.facts + scenario.declares)
    for (number, change) in scenario.changes.enumerated() {
      for assignment in change.values { check(assignment, in: all, "facts[\(number)].set") }
    }
  }

  private func check(_ device: DeviceID, _ path: String) {
    if vocabulary.device(device) != nil { return }
    findings.report(
      .unknownName, at: root.place(at: path), path: path, "no device is called “\(device)”",
      remedy: Spelling.advice(for: device.path, among: vocabulary.manifests.map(\.device.path)))
  }

  private func check(_ assignment: FactAssignment, in vocabulary: Vocabulary, _ parent: String) {
    let path = "\(parent).\(assignment.path)"
    let place = root.place(at: path)
    guard let schema = vocabulary.declaredSchema(assignment.path) else {
      findings.report(
        .unknownName, at: place, path: path, "no fact is called “\(assignment.path)”",
        remedy: Spelling.nearest(to: assignment.path, among: vocabulary.facts.map(\.path)).map {
          "did you mean “\($0)”?"
        } ?? "declare it under \"declares\"")
      return
    }
    guard let value = schema.value(from: assignment.text) else {
      findings.report(
        .value, at: place, path: path,
        "expected \(schema.type.name) for \(assignment.path), found “\(assignment.text)”",
        remedy: "correct the value")
      return
    }
    if let rejectionReason = schema.rejectionReason(for: value) {
      findings.report(
        .value, at: place, path: path, rejectionReason, remedy: "write a value within the range")
    }
  }
}
