import StintModel
import StintServices
import StintUnits
import Testing

@Suite struct LocationBoardTests {
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: "location.gnss", kind: .sensor, title: "Receiver",
      states: [PowerState(name: "off", power: .zero, isOn: false)])
  ])

  @Test("after a restart, a repeated permission request does not notify the user again")
  func asked() throws {
    let attach = ServiceInput.attach("app", permissions: .undecided, mayBackground: false)
    let ask = ServiceInput.ask(
      ServiceID("app", "may"), PermissionRequest(purpose: "to show the way"), receivers: .both)
    func questions(_ effects: [ServiceEffect]) -> Int {
      effects.filter { effect in if case .notifyUser = effect { true } else { false } }.count
    }
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    #expect(questions(board.step([attach, ask], at: .epoch)) == 1)
    var again = ServiceBoard(Self.vocabulary, at: .epoch)
    let restore = ServiceInput.restore(try SavedText.services(of: board))
    #expect(questions(again.step([restore, attach, ask], at: .epoch)) == 0)
  }
}
