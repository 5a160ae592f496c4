import StintModel
import StintUnits
import Testing

@testable import StintServices

/// A service that demands a device, and sends a notice for each timer and command.
private struct Parrot: Service, ServiceRequest {
  struct Word: ServiceNotice, Hashable { var text: String }
  struct Say: ServiceCommand {
    var text: String
    var isReport: Bool { true }
  }

  var outlivesClient = false
  var needs = Authorization.denied
  func need(_ roles: DeviceRoles) -> PermissionNeed { .location(needs) }
  var devices: [DeviceID] = ["light"]
  func candidates(_ roles: DeviceRoles) -> [DeviceID] { devices }
  var nextTimer = Instant.distantFuture

  func makeService() -> any Service { self }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    _ = outbox.raise("light")
    nextTimer = context.instant + .seconds(10)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .timer:
      nextTimer = .distantFuture
      outbox.notify(Word(text: "timer"))
      outbox.launch(.moved)
    case .command(let command as Say): outbox.notify(Word(text: command.text))
    case .ended: outbox.finish()
    default: break
    }
  }
}

/// A service that changes its state, sends a notice and raises a demand before it refuses a second request.
private struct Refuser: PersistentService, ServiceRequest {
  static let kind = "refuser"
  var requests = 1

  func makeService() -> any Service { self }
  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
  mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool {
    requests += 1
    _ = outbox.raise("light")
    outbox.notify(Parrot.Word(text: "again"))
    return false
  }
}

@Suite struct ServiceBoardTests {
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: "light", kind: .sensor, title: "Light",
      states: [PowerState(name: "off", power: .zero, isOn: false)],
      initial: 0, safe: 0)
  ])
  private static let parrot = ServiceID("app", "parrot")

  @Test("a second request that its service refuses changes neither the service nor the board")
  func refusedAgain() {
    let id = ServiceID("app", "refuser")
    var (board, _) = board([.ask(id, Refuser(), receivers: .both)])
    board.needsSave = false
    let effects = board.step([.ask(id, Refuser(), receivers: .both)], at: .epoch)
    #expect(effects.count == 1)
    guard case .refused(id, let failure)? = effects.first else {
      Issue.record("expected a refusal")
      return
    }
    #expect(failure.code == .duplicate)
    #expect((board.table[id]?.service as? Refuser)?.requests == 1)
    #expect(!board.needsSave)
  }

  private func board(
    _ inputs: [ServiceInput] = [], permissions: Permissions = .always
  ) -> (ServiceBoard, [ServiceEffect]) {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    let first = ServiceInput.attach("app", permissions: permissions, mayBackground: true)
    let effects = board.step([first] + inputs, at: .epoch)
    return (board, effects)
  }

  private func lines(_ effects: [ServiceEffect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .accepted, .over: nil
      case .raise(let demand): "raise \(demand.target) for \(demand.client)"
      case .release, .withdraw: "release"
      case .wake: "wake"
      case .notice(let id, let notice as Parrot.Word): "\(id) \(notice.text)"
      case .notice(let id, let notice as ServiceFailure): "\(id) \(notice.code.name)"
      case .notice(let id, _): "\(id) ?"
      case .permissions(let client, let permissions): "\(client) \(permissions.location.word)"
      case .presence(let client, let presence): "\(client) \(presence?.rawValue ?? "no presence")"
      case .publish(let path, _): "publish \(path)"
      case .publishSignal(let signal, _): "signal \(signal.rawValue)"
      case .setHasConsumer(_, let hasConsumer): hasConsumer ? "consumer" : "no consumer"
      case .order(let id, _): "order \(id)"
      case .launch(let client, let reason): "launch \(client) \(reason)"
      case .notifyUser(_, let sentence): sentence
      case .refused(let id, let failure), .refusedCommand(let id, let failure):
        "refused \(id) \(failure.code.name)"
      }
    }
  }

  @Test("a service raises a demand, sends a notice at its timer and releases the demand at its end")
  func life() {
    var (board, effects) = board([.ask(Self.parrot, Parrot(), receivers: .both)])
    #expect(lines(effects) == ["raise light for app"])
    #expect(board.nextTimer == .epoch + .seconds(10))
    effects = board.step([], at: .epoch + .seconds(10))
    #expect(lines(effects) == ["app/parrot timer"])
    effects = board.step([.end(Self.parrot), .end(Self.parrot)], at: .epoch + .seconds(11))
    #expect(lines(effects) == ["release"])
    #expect(board.isEmpty)
    #expect(board.nextTimer == .distantFuture)
  }

  @Test(
    "G05 R19: a request is rejected before any device is powered, and permission is checked first",
    arguments: [
      (ServiceInput.Receivers.updates, Authorization.always, DeviceID("light"), "unheard"),
      (.failures, .always, "light", "unheard"), (.both, .denied, "light", "denied"),
      (.both, .undecided, "dark", "undecided"), (.both, .always, "dark", "unavailable"),
    ])
  func refusals(
    receivers: ServiceInput.Receivers, authorization: Authorization, device: DeviceID, code: String
  ) {
    let parrot = Parrot(needs: .whenInUse, devices: [device])
    let (board, effects) = board(
      [.ask(Self.parrot, parrot, receivers: receivers)], permissions: Permissions(authorization))
    #expect(lines(effects) == ["refused app/parrot \(code)"])
    #expect(board.isEmpty)
  }

  @Test("two services of one client need different names; services of different clients do not")
  func names() {
    var (board, effects) = board([
      .ask(Self.parrot, Parrot(), receivers: .both), .ask(Self.parrot, Parrot(), receivers: .both),
    ])
    #expect(lines(effects) == ["raise light for app", "refused app/parrot duplicate"])
    effects = board.step(
      [
        .attach("other", permissions: .always, mayBackground: false),
        .ask(ServiceID("other", "parrot"), Parrot(), receivers: .both),
      ], at: .epoch)
    #expect(lines(effects) == ["raise light for other"])
  }

  @Test("X02: a withdrawn authorization ends the services that need it, with one failure")
  func revocation() {
    var (board, _) = board([.ask(Self.parrot, Parrot(needs: .always), receivers: .both)])
    let effects = board.step([.authorize("app", .whenInUse), .authorize("app", .denied)], at: .epoch)
    #expect(lines(effects) == ["app when_in_use", "app/parrot denied", "release", "app denied"])
  }

  @Test("F10: when a client detaches, the demands of services that do not outlive the client are released")
  func detach() {
    var (board, _) = board([.ask(Self.parrot, Parrot(), receivers: .both)])
    #expect(lines(board.step([.detach("app"), .detach("app")], at: .epoch)) == ["release"])
    #expect(board.isEmpty)
  }

  @Test("R07 N09: notices for a detached client launch the client, with retries, and wait in order")
  func launching() {
    var (board, _) = board([.ask(Self.parrot, Parrot(outlivesClient: true), receivers: .both)])
    #expect(board.step([.detach("app")], at: .epoch).isEmpty)
    #expect(lines(board.step([], at: .epoch + .seconds(10))) == ["launch app moved"])
    let say = ServiceInput.command(Self.parrot, Parrot.Say(text: "hello"))
    #expect(board.step([say], at: .epoch + .seconds(11)).isEmpty)
    #expect(board.nextTimer == .epoch + .seconds(70))
    #expect(lines(board.step([], at: .epoch + .seconds(70))) == ["launch app moved"])
    #expect(board.nextTimer == .epoch + .seconds(190))
    let back = ServiceInput.attach("app", permissions: .always, mayBackground: true)
    #expect(lines(board.step([back], at: .epoch + .seconds(80))) == ["app/parrot timer", "app/parrot hello"])
    #expect(board.nextTimer == .distantFuture)
  }

  @Test("removing a client ends its services and removes the client from the board")
  func removal() {
    var (board, _) = board([.ask(Self.parrot, Parrot(outlivesClient: true), receivers: .both)])
    #expect(lines(board.step([.remove("app")], at: .epoch)) == ["release"])
    #expect(board.isEmpty)
    #expect(board.clients.isEmpty)
  }

  @Test("the board lists the paths of its lasting signals, sorted")
  func signals() {
    #expect(
      ServiceBoard.signalPaths == [
        "net.auth_needed", "net.failed", "net.session_done", "orientation.observers", "orientation.on",
      ])
  }
}
