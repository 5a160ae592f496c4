public import StintPluginHost
public import StintUnits

extension LoopExecutor: ChildLoop {
  /// Calls the action on the loop's thread whenever the descriptor is readable or its peer has closed it.
  public func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    watch(descriptor, action)
  }

  /// Stops the calls of `watchReadable(_:_:)`. Must be called before the descriptor is closed.
  public func unwatchReadable(_ descriptor: Int32) { unwatch(descriptor) }

  /// Calls the action on the loop's thread after a time span. Returns a function that cancels the call.
  public func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = schedule(at: SystemClock.monotonic() + span, action)
    return { [weak self] in self?.unschedule(timer) }
  }
}
