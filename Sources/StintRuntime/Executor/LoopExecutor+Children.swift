public import StintPluginHost
public import StintUnits

extension LoopExecutor: ChildLoop {
  public func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    watch(descriptor, action)
  }

  public func unwatchReadable(_ descriptor: Int32) { unwatch(descriptor) }

  public func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = schedule(at: SystemClock.monotonic() + span, action)
    return { [weak self] in self?.unschedule(timer) }
  }
}
