import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

/// Tests declared requests, which a site file or a scenario file makes for a client.
@Suite struct DeclaredRequestTests {
  private static let way = ServiceID("box", "way")

  private func board(_ permissions: Permissions) throws -> ServiceBoard {
    let text = """
      {"stint_manifest": 1, "device": "location.gnss", "kind": "sensor", "title": "receiver",
       "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "60 mW", "on": true}],
       "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off", "verbs": ["start", "stop"],
       "channels": [{"name": "latitude", "unit": "deg"}, {"name": "longitude", "unit": "deg"},
                    {"name": "accuracy", "unit": "m"}],
       "facts": [{"name": "accuracy", "unit": "m", "range": ["0 m", "10 km"], "max_age": "10 s"},
                 {"name": "latitude", "unit": "deg", "range": ["-90 deg", "90 deg"]},
                 {"name": "longitude", "unit": "deg", "range": ["-180 deg", "180 deg"]}]}
      """
    let manifest = try ManifestReader.manifest(of: Array(text.utf8), source: "receiver")
    var board = ServiceBoard(Vocabulary(manifests: [manifest]), at: .epoch)
    _ = board.step([.attach("box", permissions: permissions, mayBackground: true)], at: .epoch)
    return board
  }

  /// Returns the effects that concern the request, in words.
  private func words(_ effects: [ServiceEffect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .accepted(Self.way): "accepted"
      case .refused(Self.way, let failure): "refused: \(failure.code.rawValue)"
      case .over(Self.way, .failed(let failure)): "failed: \(failure.code.rawValue)"
      case .over(Self.way, .ended): "ended"
      case .raise: "raised"
      case .release, .withdraw: "released"
      default: nil
      }
    }
  }

  private let ask = ServiceInput.ask(way, LocationUpdates(accuracy: .meters(10)), receivers: .file)

  @Test("a declared request begins when the user grants the permission that was missing, and only once")
  func undecided() throws {
    var board = try board(.undecided)
    #expect(words(board.step([ask], at: .epoch)) == ["refused: undecided"])
    #expect(board.waitingRequests.map(\.id) == [Self.way])
    #expect(board.waitingRequests.first?.reason.code == .undecided)
    let motion = PermissionDecision(motion: .granted)
    #expect(words(board.step([.decide("box", motion)], at: .epoch)).isEmpty)
    let granted = PermissionDecision(location: .always)
    #expect(words(board.step([.decide("box", granted)], at: .epoch)) == ["accepted", "raised"])
    #expect(words(board.step([.decide("box", granted)], at: .epoch)).isEmpty)
    #expect(board.waitingRequests.isEmpty)
  }

  @Test("X02: a declared request whose permission was withdrawn begins again when the permission is granted")
  func revoked() throws {
    var board = try board(.always)
    #expect(words(board.step([ask], at: .epoch)) == ["accepted", "raised"])
    #expect(
      words(board.step([.authorize("box", .denied)], at: .epoch)) == ["released", "failed: denied"])
    #expect(words(board.step([.authorize("box", .whenInUse)], at: .epoch)) == ["accepted", "raised"])
  }

  @Test("a declared request begins when its device becomes available")
  func unavailable() throws {
    var board = try board(.always)
    _ = board.step([.device("location.gnss", .available(false))], at: .epoch)
    #expect(words(board.step([ask], at: .epoch)) == ["refused: unavailable"])
    #expect(
      words(board.step([.device("location.gnss", .available(true))], at: .epoch)) == ["accepted", "raised"])
  }

  @Test("a declared motion request begins again a minute after a fault of its sensor")
  func fault() throws {
    var board = try board(.always)
    let motion = MotionRequest(MotionKind("location.gnss"), interval: .seconds(1))
    _ = board.step([.ask(Self.way, motion, receivers: .file)], at: .epoch)
    let fault = ServiceInput.device("location.gnss", .fault("noise"))
    #expect(words(board.step([fault], at: .epoch)) == ["released", "failed: failed"])
    let retry = Instant.epoch + .minutes(1)
    #expect(board.nextTimer == retry)
    #expect(words(board.step([], at: .epoch + .seconds(59))).isEmpty)
    #expect(words(board.step([], at: retry)) == ["accepted", "raised"])
    #expect(board.nextTimer > retry)
    // While the device is missing, the request waits without a timer.
    _ = board.step([fault, .device("location.gnss", .available(false))], at: retry)
    #expect(words(board.step([], at: retry + .minutes(1))).isEmpty)
    #expect(board.nextTimer == .distantFuture)
    let back = board.step([.device("location.gnss", .available(true))], at: retry + .hours(1))
    #expect(words(back) == ["accepted", "raised"])
  }

  @Test("a declared request that was ended, or that is invalid, does not begin later")
  func ended() throws {
    var board = try board(.denied)
    _ = board.step([ask, .end(Self.way)], at: .epoch)
    #expect(words(board.step([.authorize("box", .always)], at: .epoch)).isEmpty)
    let invalid = ServiceInput.ask(Self.way, LocationUpdates(accuracy: .meters(-1)), receivers: .file)
    #expect(words(board.step([invalid], at: .epoch)) == ["refused: invalid"])
    _ = board.step([.authorize("box", .denied)], at: .epoch)
    #expect(words(board.step([.authorize("box", .always)], at: .epoch)).isEmpty)
  }

  @Test("a refused request of an app or program does not begin by itself")
  func others() throws {
    var board = try board(.denied)
    let ask = ServiceInput.ask(Self.way, LocationUpdates(accuracy: .meters(10)), receivers: .both)
    #expect(words(board.step([ask], at: .epoch)) == ["refused: denied"])
    #expect(words(board.step([.authorize("box", .always)], at: .epoch)).isEmpty)
  }
}
