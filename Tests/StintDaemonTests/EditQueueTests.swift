import StintGovernor
import StintLanguage
import StintModel
import StintUnits
import Testing

@testable import StintDaemon

@Suite("The queue of policy edits of a daemon") struct EditQueueTests {
  private final class Answers: Sendable {
    private let texts = Locked<[String]>([])
    var all: [String] { texts.withLock { $0 } }

    func files() -> PolicyEdit { PolicyEdit(kind: .files { [] }) { self.receive($0) } }
    func push(_ file: String) -> PolicyEdit {
      PolicyEdit(kind: .push(SourceText(file: file, text: ""))) { self.receive($0) }
    }
    private func receive(_ outcome: PolicyStore.Outcome?) {
      texts.withLock { $0.append(outcome?.text ?? "over") }
    }
  }

  private static func done(_ text: String) -> PolicyStore.Outcome { .init(isDone: true, text: text) }

  private static func file(of edit: PolicyEdit?) -> String? {
    if case .push(let source)? = edit?.kind { source.file } else { nil }
  }

  @Test("one edit is prepared at a time, in the order of submission")
  func order() {
    let answers = Answers()
    var queue = EditQueue()
    for name in ["a", "b", "c"] { _ = queue.submit(answers.push(name)) }
    for name in ["a", "b", "c"] {
      let edit = queue.beginPreparation()
      #expect(Self.file(of: edit) == name)
      #expect(queue.beginPreparation() == nil)
      #expect(queue.takePrepared() == nil)
      if let edit { queue.endPreparation(PreparedEdit(edit: edit, result: .empty)) }
      #expect(queue.beginPreparation() == nil)
      #expect(Self.file(of: queue.takePrepared()?.edit) == name)
    }
    #expect(queue.beginPreparation() == nil)
  }

  @Test("waiting file changes are merged into one; file changes before and after a push stay separate")
  func files() {
    let answers = Answers()
    var queue = EditQueue()
    for _ in 0..<3 { _ = queue.submit(answers.files()) }
    _ = queue.submit(answers.push("a"))
    for _ in 0..<3 { _ = queue.submit(answers.files()) }
    var kinds: [String?] = []
    while let edit = queue.beginPreparation() {
      kinds.append(Self.file(of: edit))
      queue.endPreparation(PreparedEdit(edit: edit, result: .unchanged))
      _ = queue.takePrepared()
    }
    #expect(kinds == [nil, "a", nil])
  }

  @Test(
    "two applied edits are answered in the order of their application, whichever reload report comes first",
    arguments: [[1, 2], [2, 1]])
  func answers(order: [Int]) {
    let answers = Answers()
    var queue = EditQueue()
    let numbers = [queue.recordApplied(answers.push("a")), queue.recordApplied(answers.push("b"))]
    #expect(numbers == [1, 2])
    var reported: Set<Int> = []
    for number in order {
      queue.note(ReloadReport(entries: []), Self.done("\(number)"), of: number)
      reported.insert(number)
      #expect(queue.drainReports().count == 1)
      for answer in queue.drainAnswered() { answer() }
      #expect(answers.all == (1...2).prefix { reported.contains($0) }.map { "\($0)" })
    }
    #expect(answers.all == ["1", "2"])
  }

  @Test("after the end of the run, every edit without an outcome is answered, and later edits are refused")
  func closed() {
    let answers = Answers()
    var queue = EditQueue()
    for name in ["a", "b", "c"] { _ = queue.submit(answers.push(name)) }
    let applied = queue.beginPreparation()
    if let applied { queue.endPreparation(PreparedEdit(edit: applied, result: .empty)) }
    _ = queue.takePrepared()
    let preparing = queue.beginPreparation()
    _ = queue.recordApplied(answers.push("d"))
    for edit in queue.close() { edit.answer(nil) }
    #expect(answers.all == ["over", "over", "over"])
    if let preparing { queue.endPreparation(PreparedEdit(edit: preparing, result: .empty)) }
    #expect(queue.takePrepared() == nil)
    let isAccepted = queue.submit(answers.push("e"))
    #expect(!isAccepted)
  }

  @Test(
    "after an edit comes into force, the next edit is prepared only when the reload report has been fetched"
  )
  func report() {
    let answers = Answers()
    var queue = EditQueue()
    _ = queue.submit(answers.push("a"))
    _ = queue.submit(answers.push("b"))
    let first = queue.beginPreparation()
    #expect(first != nil)
    let number = queue.recordApplied(answers.push("a"))
    #expect(queue.beginPreparation() == nil)
    queue.note(ReloadReport(entries: []), Self.done("a"), of: number)
    #expect(queue.beginPreparation() == nil)
    #expect(queue.drainReports().count == 1)
    #expect(queue.drainReports().isEmpty)
    #expect(Self.file(of: queue.beginPreparation()) == "b")
  }
}
