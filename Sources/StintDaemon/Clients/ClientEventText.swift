import StintFormats
import StintModel
import StintServices
import StintUnits

/// The lines that the daemon sends to client programs.
enum ClientEventText {
  /// The version of the protocol.
  static let version: Int64 = 1

  // MARK: Replies

  static func attached(_ client: ClientID, _ permissions: Permissions) -> JSONValue {
    [
      "attached": [
        "client": JSONValue(client.name), "permission": JSONValue(permissions.location.word),
        "permissions": permissions.json, "protocol": JSONValue(version),
      ]
    ]
  }

  /// Returns the line for changed permissions of the client.
  static func permissions(_ permissions: Permissions) -> JSONValue { ["permissions": permissions.json] }

  static func accepted(_ number: Int64) -> JSONValue { ["accepted": ["id": JSONValue(number)]] }

  static func ended(_ number: Int64, _ end: ServiceEnd) -> JSONValue {
    var members = [JSONMember("id", JSONValue(number))]
    switch end {
    case .finished: members.append(JSONMember("reason", "finished"))
    case .ended: members.append(JSONMember("reason", "ended"))
    case .detached: members.append(JSONMember("reason", "detached"))
    case .replaced: members.append(JSONMember("reason", "replaced"))
    case .closed: members.append(JSONMember("reason", "closed"))
    case .failed(let failure):
      members.append(JSONMember("reason", "failed"))
      members.append(JSONMember("problem", body(of: failure)))
    }
    return ["ended": JSONValue(members)]
  }

  /// Returns an error reply. `number` is nil when the message names no request.
  static func problem(_ problem: Problem, _ number: Int64?) -> JSONValue {
    let all = problem.all
    return [
      "problem": line(all[0].code.name, all.map(\.statement).joined(separator: "; "), problem.remedy, number)
    ]
  }

  static func problem(_ failure: ServiceFailure, _ number: Int64?) -> JSONValue {
    ["problem": line(failure.code.name, failure.sentence, "", number)]
  }

  private static func line(_ code: String, _ cause: String, _ remedy: String, _ number: Int64?) -> JSONValue {
    var members = number.map { [JSONMember("id", JSONValue($0))] } ?? []
    members.append(JSONMember("code", JSONValue(code)))
    members.append(JSONMember("cause", JSONValue(cause)))
    if !remedy.isEmpty { members.append(JSONMember("remedy", JSONValue(remedy))) }
    return JSONValue(members)
  }

  private static func body(of failure: ServiceFailure) -> JSONValue {
    line(failure.code.name, failure.sentence, "", nil)
  }

  // MARK: Events

  private static func event(_ number: Int64, _ members: [JSONMember]) -> JSONValue {
    ["event": JSONValue([JSONMember("id", JSONValue(number))] + members)]
  }

  static func lost(_ number: Int64, _ count: Int) -> JSONValue {
    event(number, [JSONMember("lost", JSONValue(Int64(count)))])
  }

  /// Returns the line for the state of a request's demand, with the device and the rules that limit the
  /// demand.
  static func status(_ number: Int64, _ grant: Grant, target: DeviceID) -> JSONValue {
    event(
      number,
      [
        JSONMember("status", JSONValue(grant.status.rawValue)),
        JSONMember("device", JSONValue((grant.provider ?? target).path)),
        JSONMember("rules", JSONValue(grant.rules.map { JSONValue($0.description) })),
      ])
  }

  /// Returns the line for a notice; nil for a notice that clients of the socket do not get, because another
  /// line reports it.
  static func notice(_ number: Int64, _ notice: any ServiceNotice, _ vocabulary: Vocabulary) -> JSONValue? {
    switch notice {
    case SampleNotice.samples(let batch): samples(number, batch.samples, of: batch.device, vocabulary)
    case let notice as LocationNotice: location(number, notice)
    case let notice as RegionNotice:
      switch notice {
      case .known(let region, let isInside): place(number, "region", region, isInside ? "inside" : "outside")
      case .entered(let region): place(number, "region", region, "entered")
      case .exited(let region): place(number, "region", region, "exited")
      }
    case let notice as BeaconNotice:
      switch notice {
      case .known(let beacon, let isInside): place(number, "beacon", beacon, isInside ? "inside" : "outside")
      case .entered(let beacon): place(number, "beacon", beacon, "entered")
      case .exited(let beacon): place(number, "beacon", beacon, "exited")
      case .unknown(let beacon): place(number, "beacon", beacon, "unknown")
      }
    case let notice as VisitNotice:
      switch notice {
      case .arrived(let visit, _): self.visit(number, visit, "arrived")
      case .departed(let visit, _): self.visit(number, visit, "departed")
      }
    case RangingNotice.ranged(let proximity, let signal):
      event(
        number,
        [JSONMember("proximity", JSONValue(proximity.rawValue)), JSONMember("signal_dbm", JSONValue(signal))])
    case RangingNotice.ended:
      event(number, [JSONMember("proximity", JSONValue(Proximity.unknown.rawValue))])
    case OrientationNotice.turned(let orientation):
      event(number, [JSONMember("orientation", JSONValue(orientation.word))])
    case let notice as MoveNotice: moves(number, notice)
    case let answer as PermissionRequest.Answer:
      event(number, [JSONMember("permission", JSONValue(answer.capability.rawValue))])
    case MotionNotice.samples(let samples, let device): self.samples(number, samples, of: device, vocabulary)
    case let notice as TransferNotice: transfer(number, notice)
    default: nil
    }
  }

  private static func samples(
    _ number: Int64, _ samples: [Sample], of device: DeviceID, _ vocabulary: Vocabulary
  ) -> JSONValue {
    let channels = vocabulary.manifest(device)?.channels.map(\.name) ?? []
    let list = samples.map { sample -> JSONValue in
      let values = [sample.first, sample.second, sample.third, sample.fourth]
      return JSONValue(
        [JSONMember("t", time(sample.instant))] + zip(channels, values).map { JSONMember($0, JSONValue($1)) })
    }
    return event(
      number, [JSONMember("device", JSONValue(device.path)), JSONMember("samples", JSONValue(list))])
  }

  private static func location(_ number: Int64, _ notice: LocationNotice) -> JSONValue? {
    switch notice {
    case .fixes(let fixes): event(number, [JSONMember("fixes", JSONValue(fixes.map(fix)))])
    case .answer(let answer): event(number, [JSONMember("fixes", JSONValue([fix(answer)]))])
    case .unanswered(let failure, let best):
      event(
        number,
        [JSONMember("unanswered", body(of: failure))] + (best.map { [JSONMember("best", fix($0))] } ?? []))
    case .paused: event(number, [JSONMember("updates", "paused")])
    case .resumed: event(number, [JSONMember("updates", "resumed")])
    case .gaveUp(let next):
      event(number, [JSONMember("updates", "suspended"), JSONMember("next", time(next))])
    // `status` reports grants with the names of rules; no command asks for deferrals.
    case .status, .deferralEnded, .canDefer: nil
    }
  }

  private static func transfer(_ number: Int64, _ notice: TransferNotice) -> JSONValue {
    func line(_ task: String, _ state: String, _ more: JSONMember...) -> JSONValue {
      event(number, [JSONMember("task", JSONValue(task)), JSONMember("state", JSONValue(state))] + more)
    }
    switch notice {
    case .accepted(let task): return line(task, "accepted")
    case .refused(let task, let failure):
      return line(task, "refused", JSONMember("problem", body(of: failure)))
    case .waiting(let task, let wait):
      return line(
        task, wait == .forced ? "forced" : "waiting", JSONMember("reason", JSONValue(wait.rawValue)))
    case .reply(let task, let status):
      return line(task, "reply", JSONMember("status", JSONValue(Int64(status))))
    case .finished(let task, let file):
      guard let file else { return line(task, "finished") }
      return line(task, "finished", JSONMember("file", JSONValue(file)))
    case .failed(let task, let fault): return line(task, "failed", JSONMember("fault", JSONValue(fault.name)))
    case .credentialsNeeded(let task): return line(task, "credentials")
    case .drained: return event(number, [JSONMember("drained", true)])
    case .warning(let code, let sentence):
      return event(
        number, [JSONMember("warning", JSONValue(sentence)), JSONMember("code", JSONValue(code))])
    }
  }

  private static func moves(_ number: Int64, _ notice: MoveNotice) -> JSONValue {
    switch notice {
    case .moved(let fixes): event(number, [JSONMember("fixes", JSONValue(fixes.map(position)))])
    case .cached(let fix, let age):
      event(
        number,
        [JSONMember("fixes", JSONValue([position(fix)])), JSONMember("age_s", JSONValue(age.seconds))])
    case .heartbeat: event(number, [JSONMember("heartbeat", JSONValue(true))])
    case .noEffect(let settings):
      event(number, [JSONMember("no_effect", JSONValue(settings.map { JSONValue($0) }))])
    }
  }

  private static func place(_ number: Int64, _ kind: String, _ name: String, _ change: String) -> JSONValue {
    event(number, [JSONMember(kind, JSONValue(name)), JSONMember("change", JSONValue(change))])
  }

  private static func visit(_ number: Int64, _ visit: Visit, _ change: String) -> JSONValue {
    var members = [
      JSONMember("visit", JSONValue(change)), JSONMember("lat", JSONValue(visit.place.latitude)),
      JSONMember("lon", JSONValue(visit.place.longitude)),
      JSONMember("accuracy_m", JSONValue(visit.accuracy)),
      JSONMember("arrival", time(visit.arrival)),
    ]
    if let departure = visit.departure { members.append(JSONMember("departure", time(departure))) }
    return event(number, members)
  }

  private static func fix(_ fix: LocationFix) -> JSONValue {
    var members = members(
      fix.instant, fix.coordinate, fix.accuracy, speed: fix.speed, fix.device)
    for (name, flag) in [("cached", fix.isCached), ("stale", fix.isStale), ("poor", fix.isPoor)] where flag {
      members.append(JSONMember(name, JSONValue(true)))
    }
    return JSONValue(members)
  }

  private static func position(_ fix: PositionFix) -> JSONValue {
    JSONValue(members(fix.determined, fix.place, fix.accuracy, speed: nil, fix.device))
  }

  private static func members(
    _ instant: Instant, _ place: Coordinate, _ accuracy: Double, speed: Double?, _ device: DeviceID
  ) -> [JSONMember] {
    var members = [
      JSONMember("t", time(instant)), JSONMember("lat", JSONValue(place.latitude)),
      JSONMember("lon", JSONValue(place.longitude)), JSONMember("accuracy_m", JSONValue(accuracy)),
    ]
    if let speed { members.append(JSONMember("speed_mps", JSONValue(speed))) }
    members.append(JSONMember("device", JSONValue(device.path)))
    return members
  }

  private static func time(_ instant: Instant) -> JSONValue { JSONValue(CalendarTime.text(instant)) }
}
