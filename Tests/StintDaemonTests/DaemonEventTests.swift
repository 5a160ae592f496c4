import StintModel
import StintRuntime
import StintUnits
import Testing

@testable import StintDaemon

/// Tests that each text of a log has a typed subject.
@Suite("the subjects of log texts")
struct DaemonEventTests {
  @Test("the subject of a policy change is “policies”, and states whether the change came into force")
  func policies() {
    let subjects = Locked<[RunEvent]>([])
    let log = RunLog { (event: DaemonEvent) in subjects.withLock { $0.append(event.subject) } }
    PolicyStore.Outcome(isDone: true, text: "reloaded").write(to: log)
    PolicyStore.Outcome(isDone: false, text: "refused").write(to: log)
    log("started")
    #expect(
      subjects.withLock { $0 } == [.policies(isChanged: true), .policies(isChanged: false), .message])
  }
}
