import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct KeepingTests {
  private struct Promise: ServiceNotice {
    var text: String
    var promisesKeeping: Bool { text == "kept" }
  }

  private static let id = ServiceID("app", "s")
  private static let other = ServiceID("app", "t")

  private func board(attached: Bool = true) -> ServiceBoard {
    var board = ServiceBoard(Vocabulary(manifests: []), at: .epoch)
    _ = board.step([.attach("app", authorization: .always, mayBackground: true)], at: .epoch)
    if !attached { _ = board.step([.detach("app")], at: .epoch) }
    return board
  }

  private func texts(_ effects: [ServiceEffect]) -> [String] {
    effects.compactMap { effect in
      guard case .notice(let id, let notice) = effect else { return nil }
      return "\(id) \((notice as? Promise)?.text ?? "\(notice)")"
    }
  }

  @Test("what promises keeping waits until it is kept, with what its service says behind it, in order")
  func withholding() {
    var board = board()
    let effects: [ServiceEffect] = [
      .notice(Self.id, Promise(text: "a")), .notice(Self.id, Promise(text: "kept")),
      .notice(Self.other, Promise(text: "b")), .notice(Self.id, Promise(text: "c")),
    ]
    #expect(texts(board.withhold(effects)) == ["app/s a", "app/t b"])
    #expect(texts(board.withhold([.notice(Self.id, Promise(text: "d"))])).isEmpty)
    #expect(texts(board.handOver()) == ["app/s kept", "app/s c", "app/s d"])
    #expect(texts(board.handOver()).isEmpty)
    #expect(texts(board.withhold([.notice(Self.id, Promise(text: "e"))])) == ["app/s e"])
  }

  @Test("what waits for a client that went meanwhile is told when it is back")
  func away() {
    var board = board()
    _ = board.withhold([.notice(Self.id, Promise(text: "kept"))])
    _ = board.step([.detach("app")], at: .epoch)
    #expect(texts(board.handOver()).isEmpty)
    let back = board.step([.attach("app", authorization: .always, mayBackground: true)], at: .epoch)
    #expect(texts(back) == ["app/s kept"])
  }

  @Test("when memory is short the newest sixteen notices stay, and the client hears how many were dropped")
  func memory() {
    var board = board(attached: false)
    for number in 1...20 { board.kept["app", default: []].append((Self.id, Promise(text: "\(number)"))) }
    #expect(board.dropOldNotices() == 4)
    let back = texts(board.step([.attach("app", authorization: .always, mayBackground: true)], at: .epoch))
    #expect(back.count == 17)
    #expect(back.first == "app/s lost: 4 notices were dropped because memory was short")
    #expect(back.dropFirst().first == "app/s 5")
    #expect(board.dropOldNotices() == 0)
  }
}
