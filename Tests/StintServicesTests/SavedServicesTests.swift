import StintModel
import StintServices
import StintUnits
import Testing

/// A service that counts commands and notifies a client that may be detached.
private struct Counter: PersistentService, ServiceRequest {
  struct Count: PersistentNotice, Hashable {
    static let kind = "count"
    var value: Int64
  }
  struct Add: ServiceCommand { var isReport: Bool { true } }

  static let kind = "counter"
  var count: Int64 = 0

  var isValid: Bool { count >= 0 }
  var outlivesClient: Bool { true }
  func need(_ roles: DeviceRoles) -> PermissionNeed { .location(.always) }

  func makeService() -> any Service { self }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) { _ = outbox.raise("light") }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard case .command(_ as Add) = event else { return }
    count += 1
    outbox.notify(Count(value: count))
    outbox.launch(.transfers)
  }
}

@Suite struct SavedServicesTests {
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: "light", kind: .sensor, title: "Light",
      states: [PowerState(name: "off", power: .zero, isOn: false)])
  ])
  private static let id = ServiceID("app", "counter")
  private static let types = PersistentTypes([Counter.self, Counter.Count.self])
  private static let attach = ServiceInput.attach("app", permissions: .always, mayBackground: false)

  /// A board whose client made a request and detached. The service has then counted to two.
  private func used() -> ServiceBoard {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    let add = ServiceInput.command(Self.id, Counter.Add())
    _ = board.step(
      [Self.attach, .ask(Self.id, Counter(), receivers: .both), .detach("app"), add, add], at: .epoch)
    return board
  }

  /// Returns the state that the next process reads from the text `text`.
  private func saved(
    _ text: String, _ types: PersistentTypes = SavedServicesTests.types
  ) throws -> ServiceInput {
    .restore(try SavedText.value(SavedServices.self, text, types: types))
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
    let text = try SavedText.text(of: used().saved)
    var effects = board.step([try saved(text)], at: .epoch + .seconds(5))
    #expect(
      effects.contains { effect in
        if case .raise(let demand) = effect { demand.client == "app" } else { false }
      })
    #expect(
      effects.contains { effect in
        if case .launch("app", .transfers) = effect { true } else { false }
      })
    #expect(try SavedText.text(of: board.saved) == text)
    effects = board.step(
      [Self.attach, .command(Self.id, Counter.Add()), .detach("app"), Self.attach], at: .epoch + .seconds(6))
    #expect(counts(effects) == [1, 2, 3])
    #expect(board.nextTimer == .distantFuture)
  }

  @Test("an operator's decision survives a restart, and its removal restores the app's permissions")
  func decisions() throws {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    _ = board.step([Self.attach, .decide("app", PermissionDecision(location: .denied))], at: .epoch)
    #expect(board.status(of: "app")?.permissions == Permissions(location: .denied))
    let text = try SavedText.text(of: board.saved)
    board = ServiceBoard(Self.vocabulary, at: .epoch)
    _ = board.step([try saved(text)], at: .epoch)
    #expect(board.status(of: "app")?.permissions == Permissions(location: .denied))
    _ = board.step([.decide("app", nil)], at: .epoch)
    #expect(board.status(of: "app")?.permissions == .always)
  }

  @Test("a saved service of an unknown kind is reported to its client as lost, and the rest is restored")
  func unknownKinds() throws {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    let text = try SavedText.text(of: used().saved)
    _ = board.step([try saved(text, PersistentTypes([Counter.Count.self]))], at: .epoch)
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
    "a service or notice with an invalid state is reported to its client as lost",
    arguments: [
      #""services":[{"client":"app","name":"counter","kind":"counter","state":{"count":-1}}],"notices":[]"#,
      #""services":[{"client":"app","name":"counter","kind":"counter","state":3}],"notices":[]"#,
      #""services":[{"client":"app","name":"counter","kind":"counter"}],"notices":[]"#,
      #""services":[],"notices":[{"client":"app","name":"counter","kind":"count","state":{"value":"x"}}]"#,
    ])
  func damaged(lists: String) throws {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    let text = #"{"clients":[],"services_of_rules":[],"launches":[],\#(lists)}"#
    _ = board.step([try saved(text)], at: .epoch)
    #expect(board.runningServices.isEmpty)
    let notices = board.step([Self.attach], at: .epoch).compactMap { effect in
      if case .notice(Self.id, let failure as ServiceFailure) = effect { failure.code } else { nil }
    }
    #expect(notices == [.lost])
  }

  @Test("an event that a service ignores leaves the saved state unchanged; the end of a service needs saving")
  func marks() throws {
    var board = used()
    #expect(board.needsSave)
    board.needsSave = false
    _ = board.step([.fact("battery.level", .number(0.5))], at: .epoch + .seconds(1))
    let text = try SavedText.text(of: board.saved)
    #expect(try SavedText.text(of: used().saved) == text)
    board.needsSave = false
    _ = board.step([.end(Self.id)], at: .epoch + .seconds(1))
    #expect(board.needsSave)
    #expect(try SavedText.text(of: board.saved) != text)
  }
}
