import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite("Notices that wait for saved state") struct DeferredNoticeTests {
  private struct Promise: ServiceNotice {
    var text: String
    var promisesPersistence: Bool { text == "kept" }
    var consequence: (any ServiceOrder)? { text == "kept" ? Follow() : nil }
  }

  private struct Follow: ServiceOrder {}

  private static let id = ServiceID("app", "s")
  private static let other = ServiceID("app", "t")

  private func board(attached: Bool = true) -> ServiceBoard {
    var board = ServiceBoard(Vocabulary(manifests: []), at: .epoch)
    _ = board.step([.attach("app", permissions: .always, mayBackground: true)], at: .epoch)
    if !attached { _ = board.step([.detach("app")], at: .epoch) }
    return board
  }

  private func texts(_ effects: [ServiceEffect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .notice(let id, let notice): "\(id) \((notice as? Promise)?.text ?? "\(notice)")"
      case .order(let id, _): "\(id) follows"
      default: nil
      }
    }
  }

  @Test("a notice that promises persistence, and later output of its service, wait until the state is saved")
  func withholding() {
    var board = board()
    let effects: [ServiceEffect] = [
      .notice(Self.id, Promise(text: "a")), .notice(Self.id, Promise(text: "kept")),
      .order(Self.other, Follow()), .notice(Self.other, Promise(text: "b")),
      .notice(Self.id, Promise(text: "c")),
    ]
    #expect(texts(board.withhold(effects)) == ["app/s a", "app/t follows", "app/t b"])
    #expect(texts(board.withhold([.notice(Self.id, Promise(text: "d"))])).isEmpty)
    #expect(texts(board.releaseDeferred()) == ["app/s kept", "app/s c", "app/s d"])
    #expect(texts(board.releaseDeferred()).isEmpty)
    #expect(texts(board.withhold([.notice(Self.id, Promise(text: "e"))])) == ["app/s e"])
  }

  @Test("a notice that waits while its client detaches is delivered when the client attaches again")
  func away() {
    var board = board()
    _ = board.withhold([.notice(Self.id, Promise(text: "kept"))])
    _ = board.step([.detach("app")], at: .epoch)
    board.queueForDetachedClients()
    #expect(texts(board.releaseDeferred()).isEmpty)
    let back = board.step([.attach("app", permissions: .always, mayBackground: true)], at: .epoch)
    #expect(texts(back) == ["app/s kept"])
  }

  @Test("notices of ended transfers wait until the state is saved, and survive a restart")
  func ends() throws {
    var board = board()
    let finished = TransferNotice.finished("a", file: "/tmp/a")
    let effects: [ServiceEffect] = [
      .notice(Self.id, finished),
      .notice(Self.other, TransferNotice.failed("b", .server)),
      .notice(Self.other, TransferNotice.waiting("c", .retry)),
    ]
    #expect(board.withhold(effects).isEmpty)
    _ = board.step([.detach("app")], at: .epoch)
    board.queueForDetachedClients()
    var next = ServiceBoard(Vocabulary(manifests: []), at: .epoch)
    _ = next.step([.restore(try SavedText.services(of: board))], at: .epoch)
    let back = next.step([.attach("app", permissions: .always, mayBackground: true)], at: .epoch)
    #expect(texts(back).count == 3)
    #expect(texts(back).first == "app/s \(finished)")
  }

  @Test("the removal of a client discards the files of its waiting notices")
  func removal() {
    var board = board(attached: false)
    board.keep(Self.id, TransferNotice.finished("a", file: "/tmp/a"))
    #expect(texts(board.step([.remove("app")], at: .epoch)) == ["app/s follows"])
  }

  @Test("when memory is low, only the newest 16 notices stay; the client gets the number of dropped notices")
  func memory() {
    var board = board(attached: false)
    for number in 1...20 { board.keep(Self.id, Promise(text: "\(number)")) }
    #expect(board.dropOldNotices() == 4)
    let back = texts(board.step([.attach("app", permissions: .always, mayBackground: true)], at: .epoch))
    #expect(back.count == 17)
    #expect(back.first == "app/s lost: 4 notices were dropped because memory was low")
    #expect(back.dropFirst().first == "app/s 5")
    #expect(board.dropOldNotices() == 0)
  }
}
