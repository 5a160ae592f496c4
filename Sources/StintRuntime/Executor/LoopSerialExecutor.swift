/// A serial executor that binds actors to a loop: an actor with this executor always runs on the
/// loop's thread.
///
/// An actor without this executor runs on the executor of the calling task. Such an actor costs less time
/// while all tasks belong to the loop. A bound actor must store its `LoopExecutor`, because Swift does not
/// keep the executor of an actor alive.
public final class LoopSerialExecutor: SerialExecutor {
  private let inbox: LoopInbox

  init(inbox: LoopInbox) { self.inbox = inbox }

  /// Adds a job of a bound actor to the queue of the loop. May be called from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(LoopInbox.Work(job: UnownedJob(job), isSerial: true))
  }
}
