/// Binds actors to a loop: an actor with this executor runs on the loop's thread, from any caller.
///
/// An actor without it runs on the executor of the calling task, which is cheaper while all tasks are the
/// loop's own. A bound actor keeps its `LoopExecutor` alive, because actors do not own their executors.
public final class LoopSerialExecutor: SerialExecutor {
  private let inbox: LoopInbox

  init(inbox: LoopInbox) { self.inbox = inbox }

  public func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(LoopInbox.Work(job: UnownedJob(job), isSerial: true))
  }
}
