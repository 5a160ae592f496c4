import StintModel
import StintServices
import StintUnits
import Testing

@testable import StintFormats

@Suite struct ClientMessageTests {
  private func message(_ line: String) throws(Problem) -> ClientMessage {
    try ClientMessageReader.message(of: line, requests: .all)
  }

  private func fault(_ line: String) -> String {
    do throws(Problem) {
      let message = try message(line)
      if case .command(_, let command) = message { _ = try changes(command) }
      return "\(message)"
    } catch {
      return error.description
    }
  }

  private func changes(_ command: JSONValue) throws(Problem) -> [LocationCommand] {
    try JSONValueDecoder(file: "message").decode(LocationChanges.self, from: command).commands
      .compactMap { $0 as? LocationCommand }
  }

  @Test(
    "each kind of message is read with its settings",
    arguments: [
      (#"{"attach":{"name":"trail-app"}}"#, .attach("trail-app")), (#"{"end":{"id":7}}"#, .end(7)),
      (#"{"outlook":{"device":"location.gnss"}}"#, .outlook("location.gnss")),
      (#"{"presence":"background"}"#, .presence(inForeground: false)),
      (
        #"{"publish":{"hike.left":"2 h","hike.done":true}}"#,
        .publish([
          FactAssignment(path: "hike.left", text: "2 h"), FactAssignment(path: "hike.done", text: "true"),
        ])
      ),
      (
        #"{"request":{"id":1,"kind":"updates","accuracy":"10 m","rate":"1 Hz","filter":"5 m"}}"#,
        .request(1, LocationUpdates(accuracy: .meters(10), filter: .meters(5), period: .seconds(1)))
      ),
      (
        #"{"request":{"id":2,"kind":"samples","device":"air.quality","latency":"20 s"}}"#,
        .request(2, RawSamples("air.quality", wants: DemandSettings(latency: .seconds(20))))
      ),
      (
        #"{"request":{"id":3,"kind":"fix","timeout":"30 s"}}"#,
        .request(3, FixRequest(timeout: .seconds(30)))
      ), (#"{"request":{"id":4,"kind":"visits"}}"#, .request(4, VisitsRequest())),
      (
        #"{"request":{"id":6,"kind":"orientation","rate":"2 Hz"}}"#,
        .request(6, OrientationRequest(interval: .milliseconds(500), isObserved: true))
      ),
      (
        #"{"request":{"id":7,"kind":"ranging","name":"gate","identity":"f7","major":1}}"#,
        .request(7, RangingRequest(BeaconRegion("gate", identity: "f7", major: 1)))
      ),
      (
        #"{"request":{"id":5,"kind":"transfers","discretionary":true}}"#,
        .request(5, TransferConfiguration.discretionary)
      ),
    ] as [(String, ClientMessage)])
  func kinds(line: String, expected: ClientMessage) throws {
    #expect("\(try message(line))" == "\(expected)")
  }

  @Test("a command to an updates request changes only the settings in the command; null sets the default")
  func command() throws {
    let command = try message(
      #"{"command":{"id":1,"accuracy":"100 m","filter":null,"pause":false,"background":true}}"#)
    guard case .command(1, let changes) = command else {
      Issue.record("the message is not a command to request 1")
      return
    }
    #expect(
      try self.changes(changes) == [
        .setAccuracy(.meters(100)), .setFilter(nil), .setPausing(false), .setBackground(true),
      ])
  }

  @Test(
    "an invalid message gives an error that names the mistake, its position or the correction",
    arguments: [
      (
        #"{"request":{"id":1,"kind":"update"}}"#,
        "message:1:27: request.kind: unknown kind of request “update”; "
      ),
      (#"{"request":{"id":1,"kind":"updates","acuracy":"5 m"}}"#, "did you mean “accuracy”?"),
      (#"{"request":{"id":1,"kind":"updates","accuracy":null}}"#, "request.accuracy: "),
      (#"{"request":{"id":1,"kind":"updates","pause":null}}"#, "request.pause: "),
      (#"{"request":{"id":-1,"kind":"visits"}}"#, "request.id: -1 is out of range"),
      (#"{"request":{"id":1.5,"kind":"visits"}}"#, "request.id: expected an integer, found a number"),
      (#"{"request":{"kind":"visits"}}"#, "the key “id” is missing"),
      (#"{"request":{"id":1,"kind":"samples"}}"#, "the key “device” is missing"),
      (#"{"request":{"id":1,"kind":"regions"}}"#, "the key “regions” is missing"),
      (#"{"command":{"id":1}}"#, "the command changes nothing"),
      (#"{"command":{"id":1,"acuracy":"5 m"}}"#, "did you mean “accuracy”?"),
      (#"{"command":{"id":1,"accuracy":"10 s"}}"#, "expected a length, found the time “10 s”"),
      (#"{"presence":"foregroud"}"#, "did you mean “foreground”?"),
      (#"{"attach":{"name":"a\nb"}}"#, "message:1:19: attach.name: "),
      (#"{"publish":{"hike.left":2}}"#, "expected the value of a fact, found a number"),
      (#"{"halt":{}}"#, "no key is named “halt” here"), ("{}", "a message has exactly one member"),
      (#"{"end":{"id":1},"presence":"background"}"#, "a message has exactly one member"),
      ("[]", "expected an object, found an array"), ("", "message:1:1"), ("{", "message:1:2"),
    ])
  func invalid(line: String, part: String) {
    #expect(fault(line).contains(part), "\(fault(line))")
  }

  @Test("the id of a request is found in an otherwise invalid message")
  func number() {
    #expect(ClientMessageReader.number(in: #"{"request":{"id":5,"kind":"nothing"}}"#) == 5)
    #expect(ClientMessageReader.number(in: #"{"presence":"background"}"#) == nil)
    #expect(ClientMessageReader.number(in: "no JSON") == nil)
  }

  @Test("a message with one changed byte is read or rejected, without a trap")
  func mutations() {
    var state: UInt64 = 4711
    let lines = [
      #"{"request":{"id":1,"kind":"updates","accuracy":"10 m","rate":"1 Hz","filter":"5 m"}}"#,
      #"{"request":{"id":1,"kind":"regions","regions":[{"name":"a","at":[47.1,8.3],"radius":"100 m"}]}}"#,
      #"{"command":{"id":1,"accuracy":null,"pause":true}}"#, #"{"publish":{"hike.left":"2 h"}}"#,
    ]
    for line in lines {
      for place in 0..<line.utf8.count {
        for _ in 0..<8 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          var bytes = Array(line.utf8)
          bytes[place] = UInt8(truncatingIfNeeded: state >> 33)
          _ = try? message(String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }
}
