import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

@testable import StintDaemon

@Suite struct ClientEventTests {
  private static let device: DeviceID = "location.gnss"
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: device, kind: .sensor, title: "receiver",
      channels: [
        Channel(name: "latitude", unit: "°"), Channel(name: "longitude", unit: "°"),
        Channel(name: "accuracy", unit: "m"),
      ])
  ])
  private static let noon = Instant(nanoseconds: 1_778_932_800_250_000_000)
  private static let place = Coordinate(latitude: 47.05, longitude: 8)!
  private static let sample = Sample(instant: noon, sequence: 7, 47.05, 8, 1e-7, 3)
  private static let failure = ServiceFailure(.timedOut, "no fix \"in time\"")
  private static let fix = Fix(
    instant: noon, coordinate: place, accuracy: 4.5, speed: 1.25, device: device, sequence: 3)
  private static let flagged = Fix(
    instant: noon, coordinate: place, accuracy: 4.5, device: device, isCached: true, isStale: true,
    isPoor: true)
  private static let position = Fix(instant: noon, coordinate: place, accuracy: 500, device: device)

  private static let timeText = #""2026-05-16T12:00:00.25Z""#
  private static let placeText = #""lat":47.05,"lon":8.0,"accuracy_m":"#
  private static let deviceText = #""device":"location.gnss""#
  private static let fixText =
    "{\"t\":\(timeText),\(placeText)4.5,\"speed_mps\":1.25,\(deviceText)}"
  private static let flaggedText =
    "{\"t\":\(timeText),\(placeText)4.5,\"speed_mps\":0.0,\(deviceText),"
    + #""cached":true,"stale":true,"poor":true}"#
  private static let positionText = "{\"t\":\(timeText),\(placeText)500.0,\(deviceText)}"
  private static let samplesText =
    "\(deviceText),\"samples\":[{\"t\":\(timeText),"
    + #""latitude":47.05,"longitude":8.0,"accuracy":1e-07}]"#
  private static let visitText = "\(placeText)30.0,\"arrival\":\(timeText)"
  private static let failureText = #"{"code":"timed-out","cause":"no fix \"in time\""}"#

  /// Each kind of notice, with the JSON members of its event except `id`. The members are nil for a notice
  /// that is not sent as an event.
  private static let notices: [(any ServiceNotice, String?)] = [
    (SampleNotice.samples(Batch(device: device, samples: [sample], reason: .full)), samplesText),
    (MotionNotice.samples([sample], of: device), samplesText),
    (MotionNotice.latest(sample, isStale: false), nil),
    (LocationNotice.fixes([fix, flagged]), "\"fixes\":[\(fixText),\(flaggedText)]"),
    (LocationNotice.answer(fix), "\"fixes\":[\(fixText)]"),
    (LocationNotice.unanswered(failure, best: nil), "\"unanswered\":\(failureText)"),
    (LocationNotice.unanswered(failure, best: fix), "\"unanswered\":\(failureText),\"best\":\(fixText)"),
    (LocationNotice.paused, #""updates":"paused""#),
    (LocationNotice.resumed, #""updates":"resumed""#),
    (LocationNotice.suspended(next: noon), #""updates":"suspended","next":"2026-05-16T12:00:00.25Z""#),
    (LocationNotice.deferralEnded(1, .full), nil),
    (LocationNotice.canDefer(true), nil),
    (MoveNotice.moved([position]), "\"fixes\":[\(positionText)]"),
    (MoveNotice.cached(position, age: .seconds(90)), "\"fixes\":[\(positionText)],\"age_s\":90.0"),
    (MoveNotice.heartbeat, #""heartbeat":true"#),
    (MoveNotice.noEffect(["pausing"]), #""no_effect":["pausing"]"#),
    (RegionNotice.known(region: "hut", isInside: true), #""region":"hut","change":"inside""#),
    (RegionNotice.known(region: "hut", isInside: false), #""region":"hut","change":"outside""#),
    (RegionNotice.entered("hut"), #""region":"hut","change":"entered""#),
    (RegionNotice.exited("hut"), #""region":"hut","change":"exited""#),
    (BeaconNotice.known(region: "gate", isInside: true), #""beacon":"gate","change":"inside""#),
    (BeaconNotice.known(region: "gate", isInside: false), #""beacon":"gate","change":"outside""#),
    (BeaconNotice.entered("gate"), #""beacon":"gate","change":"entered""#),
    (BeaconNotice.exited("gate"), #""beacon":"gate","change":"exited""#),
    (BeaconNotice.unknown("gate"), #""beacon":"gate","change":"unknown""#),
    (
      VisitNotice.arrived(Visit(place: place, accuracy: 30, arrival: noon), receiver: "app"),
      "\"visit\":\"arrived\",\(visitText)"
    ),
    (
      VisitNotice.departed(
        Visit(place: place, accuracy: 30, arrival: noon, departure: noon), receiver: "app"),
      "\"visit\":\"departed\",\(visitText),\"departure\":\"2026-05-16T12:00:00.25Z\""
    ),
    (RangingNotice.ranged(.near, signal: -61.5), #""proximity":"near","signal_dbm":-61.5"#),
    (RangingNotice.ended, #""proximity":"unknown""#),
    (OrientationNotice.turned(.faceUp), #""orientation":"face_up""#),
    (OrientationNotice.unbalancedEnd, nil),
    (PermissionRequest.Answer(.motion, .always), #""permission":"motion""#),
    (TransferNotice.accepted("map"), #""task":"map","state":"accepted""#),
    (
      TransferNotice.refused("map", failure),
      "\"task\":\"map\",\"state\":\"refused\",\"problem\":\(failureText)"
    ),
    (TransferNotice.waiting("map", .slowLink), #""task":"map","state":"waiting","reason":"slow-link""#),
    (TransferNotice.waiting("map", .forced), #""task":"map","state":"forced","reason":"forced""#),
    (TransferNotice.reply("map", 404), #""task":"map","state":"reply","status":404"#),
    (TransferNotice.finished("map", file: nil), #""task":"map","state":"finished""#),
    (TransferNotice.finished("map", file: "/a b"), #""task":"map","state":"finished","file":"/a b""#),
    (TransferNotice.failed("map", .diskFull), #""task":"map","state":"failed","fault":"disk-full""#),
    (TransferNotice.credentialsNeeded("map"), #""task":"map","state":"credentials""#),
    (TransferNotice.drained, #""drained":true"#),
    (TransferNotice.warning("code", "sentence"), #""warning":"sentence","code":"code""#),
  ]

  @Test("each kind of notice is encoded as one line of the protocol, which is decoded to an equal event")
  func notices() throws {
    for (notice, members) in Self.notices {
      let content = ClientEvent.content(of: notice, Self.vocabulary)
      #expect((content == nil) == (members == nil), "\(notice)")
      guard let content, let members else { continue }
      let line = DaemonMessage.event(7, content).line
      #expect(line == "{\"event\":{\"id\":7,\(members)}}")
      let decoded = try JSONCoding.decode(DaemonMessage.self, from: Array(line.utf8), file: "line")
      #expect(decoded.event.map { type(of: $0.content) == type(of: content) } == true, "\(line)")
      #expect(decoded.line == line)
    }
  }

  @Test("the notices of the test contain every kind of event except `status` and `lost`")
  func kinds() {
    let found = Self.notices.compactMap { ClientEvent.content(of: $0.0, Self.vocabulary) }
      .map { type(of: $0).mark }
    #expect(Set(found).union(["status", "lost"]) == Set(ClientEvent.kinds.map { $0.mark }))
  }

  @Test("each kind of reply is encoded as one line of the protocol, which is decoded to an equal reply")
  func replies() throws {
    let grant = Grant(status: .served, provider: "location.network", rules: [RuleID(policy: "p", rule: "r")])
    func state(_ grant: Grant, until: Instant? = nil, fault: String? = nil, reason: String? = nil)
      -> DemandState
    {
      DemandState(grant: grant, target: Self.device, until: until, fault: fault, reason: reason)
    }
    let ends: [(ServiceEnd, String)] = [
      (.finished, #""reason":"finished""#), (.ended, #""reason":"ended""#),
      (.detached, #""reason":"detached""#), (.replaced, #""reason":"replaced""#),
      (.closed, #""reason":"closed""#),
      (.failed(Self.failure), "\"reason\":\"failed\",\"problem\":\(Self.failureText)"),
    ]
    let permissions =
      #"{"location":"when_in_use","precision":"precise","motion":"granted","network":"granted"}"#
    let replies: [(DaemonMessage, String)] =
      ends.map { (.ended(2, $0.0), "{\"ended\":{\"id\":2,\($0.1)}}") } + [
        (
          .attached("trail", .whenInUse),
          #"{"attached":{"client":"trail","permission":"when_in_use","permissions":"#
            + "\(permissions),\"protocol\":1}}"
        ),
        (DaemonMessage(permissions: .whenInUse), "{\"permissions\":\(permissions)}"),
        (DaemonMessage(accepted: .init(id: 3)), #"{"accepted":{"id":3}}"#),
        (
          .problem(Problem(.absent, cause: "gone", remedy: "retry"), 4),
          #"{"problem":{"id":4,"code":"absent","cause":"gone","remedy":"retry"}}"#
        ),
        (.problem(Problem(.absent, cause: "gone"), nil), #"{"problem":{"code":"absent","cause":"gone"}}"#),
        (
          DaemonMessage(problem: .init(Self.failure, of: 5)),
          #"{"problem":{"id":5,"code":"timed-out","cause":"no fix \"in time\""}}"#
        ),
        (.event(6, LostEvent(lost: 12)), #"{"event":{"id":6,"lost":12}}"#),
        (
          .event(6, StatusEvent(state(grant, until: Self.noon))),
          "{\"event\":{\"id\":6,\"status\":\"served\",\"device\":\"location.network\",\"rules\":[\"p/r\"],"
            + "\"until\":\(Self.timeText)}}"
        ),
        (
          .event(6, StatusEvent(state(grant))),
          #"{"event":{"id":6,"status":"served","device":"location.network","rules":["p/r"]}}"#
        ),
        (
          .event(6, StatusEvent(state(grant, fault: "no answer"))),
          #"{"event":{"id":6,"status":"faulty","device":"location.network","rules":["p/r"],"reason":"no answer"}}"#
        ),
        (
          .event(6, StatusEvent(state(Grant(status: .unavailable), reason: "gone"))),
          #"{"event":{"id":6,"status":"unavailable","device":"location.gnss","rules":[],"reason":"gone"}}"#
        ),
      ]
    for (reply, line) in replies {
      #expect(reply.line == line)
      #expect(
        try JSONCoding.decode(DaemonMessage.self, from: Array(line.utf8), file: "line").line == line)
    }
  }

  @Test(
    "an event of an unknown kind is decoded without its content; an event with NaN is sent as a problem")
  func unusual() throws {
    let line = #"{"event":{"id":1,"tide":"high"}}"#
    let decoded = try JSONCoding.decode(
      DaemonMessage.self, from: Array(line.utf8), file: "line", ignoresUnknownKeys: true)
    #expect(decoded.event?.content is OtherEvent)
    let event = ProximityEvent(proximity: "near", signal: .nan)
    #expect(DaemonMessage.event(9, event).line.hasPrefix(#"{"problem":{"id":9,"code":"value","cause":"#))
  }
}
