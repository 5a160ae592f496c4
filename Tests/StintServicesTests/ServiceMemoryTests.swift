import StintModel
import StintServices
import StintUnits
import Testing

/// A service that counts commands and notifies a client that may be detached.
private struct Counter: PersistentService, ServiceRequest {
  struct Count: PersistentNotice, Hashable {
    static let kind = "count"
    var value: Int64
    init(_ value: Int64) { self.value = value }
    init?(memory: MemoryValue) {
      guard let value = memory.integer else { return nil }
      self.value = value
    }
    var memory: MemoryValue { .integer(value) }
  }
  struct Add: ServiceCommand { var isReport: Bool { true } }

  static let kind = "counter"
  var count: Int64 = 0

  init() {}
  init?(memory: MemoryValue) {
    guard let count = memory["count"]?.integer else { return nil }
    self.count = count
  }

  var memory: MemoryValue { .record(["count": .integer(count)]) }
  var outlivesClient: Bool { true }
  var needs: Authorization { .always }

  func makeService() -> any Service { self }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) { _ = outbox.raise("light") }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .command(_ as Add) = event else { return }
    count += 1
    outbox.notify(Count(count))
    outbox.launch(.transfers)
  }
}

@Suite struct ServiceMemoryTests {
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: "light", kind: .sensor, title: "Light",
      states: [PowerState(name: "off", power: .zero, isOn: false)])
  ])
  private static let id = ServiceID("app", "counter")
  private static let kinds = ServiceKinds(services: [Counter.self], notices: [Counter.Count.self])
  private static let attach = ServiceInput.attach("app", authorization: .always, mayBackground: false)

  /// A board whose client made a request, detached while the service counted to two, and is still detached.
  private func used() -> ServiceBoard {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    let add = ServiceInput.command(Self.id, Counter.Add())
    _ = board.step(
      [Self.attach, .ask(Self.id, Counter(), receivers: .both), .detach("app"), add, add], at: .epoch)
    return board
  }

  private func counts(_ effects: [ServiceEffect]) -> [Int64] {
    effects.compactMap { effect in
      guard case .notice(_, let notice as Counter.Count) = effect else { return nil }
      return notice.value
    }
  }

  @Test("N07 N09: after a restart services and launches resume, and notices are delivered once")
  func restart() throws {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    var effects = board.step([.restore(used().memory, Self.kinds)], at: .epoch + .seconds(5))
    #expect(
      effects.contains { effect in
        if case .raise(let demand) = effect { demand.client == "app" } else { false }
      })
    #expect(
      effects.contains { effect in
        if case .launch("app", .transfers) = effect { true } else { false }
      })
    #expect(board.memory == used().memory)
    effects = board.step(
      [Self.attach, .command(Self.id, Counter.Add()), .detach("app"), Self.attach], at: .epoch + .seconds(6))
    #expect(counts(effects) == [1, 2, 3])
    #expect(board.nextTimer == .distantFuture)
  }

  @Test("a saved service of an unknown kind is reported to its client as lost, and the rest is restored")
  func unknownKinds() {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    _ = board.step(
      [.restore(used().memory, ServiceKinds(services: [], notices: [Counter.Count.self]))], at: .epoch)
    #expect(board.runningServices.isEmpty)
    let effects = board.step([Self.attach], at: .epoch)
    #expect(counts(effects) == [1, 2])
    #expect(
      effects.contains { effect in
        if case .notice(Self.id, let failure as ServiceFailure) = effect {
          failure.code == .lost
        } else {
          false
        }
      })
  }

  @Test(
    "damaged saved state does not stop the board",
    arguments: [
      MemoryValue.truth(true), .list([]), .record([:]), .record(["clients": .integer(3)]),
      .record(["clients": .list([.text("x"), .record(["name": .text("a")])])]),
      .record(["services": .list([.record([:]), .record(["client": .text("a"), "name": .text("b")])])]),
      .record(["kept": .list([.record(["client": .text("a"), "name": .text("b"), "kind": .text("count")])])]),
      .record(["launches": .list([.record(["client": .text("a"), "reason": .text("visit")])])]),
    ])
  func nonsense(memory: MemoryValue) {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    _ = board.step([.restore(memory, Self.kinds)], at: .epoch)
    #expect(board.runningServices.isEmpty)
    #expect(board.nextTimer == .distantFuture)
  }

  @Test("a step without a change of persistent state needs no saving")
  func marks() {
    var board = used()
    #expect(board.needsSave)
    board.needsSave = false
    _ = board.step([.fact("battery.level", .number(0.5))], at: .epoch + .seconds(1))
    let memory = board.memory
    #expect(memory == used().memory)
    board.needsSave = false
    _ = board.step([.end(Self.id)], at: .epoch + .seconds(1))
    #expect(board.needsSave)
    #expect(board.memory != memory)
  }
}
