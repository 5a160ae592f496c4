import CCurl
import StintPluginKit
import StintUnits

/// A set of transfers of libcurl whose sockets and timer the event loop watches (`curl_multi_socket_action`).
///
/// Only one thread at a time may use it. The loop's actions call `onSocket` and `onTimer`. The owner then
/// calls `act(on:events:)` or `actOnTimer()`, and holds the same lock as for all other calls.
final class CurlLoop {
  private let multi: OpaquePointer
  private let loop: any PluginLoop
  private let onSocket: @Sendable (_ socket: Int32, _ events: Int32) -> Void
  private let onTimer: @Sendable () -> Void
  /// The events for which each socket is watched.
  private var watched: [Int32: Int32] = [:]
  private var cancelTimer: (@Sendable () -> Void)?

  /// Makes an empty set. No descriptor is open and no timer runs.
  ///
  /// - Parameter connections: the largest number of idle connections that are kept for further transfers.
  /// - Returns: nil when memory is used up.
  init?(
    on loop: any PluginLoop, connections: Int, onSocket: @escaping @Sendable (Int32, Int32) -> Void,
    onTimer: @escaping @Sendable () -> Void
  ) {
    guard let multi = ccurl_multi_make() else { return nil }
    self.multi = multi
    self.loop = loop
    self.onSocket = onSocket
    self.onTimer = onTimer
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_multi_set_callbacks(multi, socketChanged, timerChanged, context)
    _ = ccurl_multi_set_number(multi, ccurl_option_kept_connections.number, connections)
  }

  /// Closes all connections and ends all watches. The set must not be used afterwards.
  ///
  /// - Precondition: no transfer is left in the set.
  func close() {
    // The library reports each watched socket before it closes the socket, and the report ends the watch.
    ccurl_multi_free(multi)
    cancelTimer?()
    cancelTimer = nil
  }

  /// Starts a transfer. Its first step follows in an action of the loop.
  func add(_ easy: OpaquePointer) -> Bool { ccurl_multi_add(multi, easy) == 0 }

  /// Ends a transfer, complete or not.
  func remove(_ easy: OpaquePointer) { _ = ccurl_multi_remove(multi, easy) }

  /// Handles a ready socket. `events` has one of the bits `ccurl_event_in` and `ccurl_event_out`.
  func act(on socket: Int32, events: Int32) {
    // The watch may have ended after the loop reported the event.
    guard watched[socket] != nil else { return }
    _ = ccurl_multi_act(multi, socket, events)
    // The loop reports only once that a socket accepts bytes, so the socket is watched again.
    if events == ccurl_event_out.number, let wanted = watched[socket], wanted & events != 0 {
      watchWritable(socket)
    }
  }

  /// Handles the expired timer.
  func actOnTimer() { _ = ccurl_multi_act(multi, ccurl_socket_timeout.number, 0) }

  /// Returns the next transfer that has ended, with its result; 0 means success.
  func nextEnded() -> (easy: OpaquePointer, result: Int32)? {
    var result: Int32 = 0
    return ccurl_multi_next_ended(multi, &result).map { ($0, result) }
  }

  // MARK: Calls of libcurl

  fileprivate func change(_ socket: Int32, to what: Int32) {
    let new = what == ccurl_event_remove.number ? 0 : what
    let old = watched[socket] ?? 0
    let (input, output) = (ccurl_event_in.number, ccurl_event_out.number)
    if old & input == 0, new & input != 0 {
      let onSocket = onSocket
      loop.watchReadable(socket) { onSocket(socket, ccurl_event_in.number) }
    } else if old & input != 0, new & input == 0 {
      loop.unwatchReadable(socket)
    }
    if old & output == 0, new & output != 0 {
      watchWritable(socket)
    } else if old & output != 0, new & output == 0 {
      loop.unwatchWritable(socket)
    }
    watched[socket] = new == 0 ? nil : new
  }

  fileprivate func setTimer(_ milliseconds: Int) {
    cancelTimer?()
    let onTimer = onTimer
    guard milliseconds >= 0 else {
      cancelTimer = nil
      return
    }
    let span = TimeSpan.milliseconds(1).times(Int64(milliseconds), capped: .seconds(86_400))
    cancelTimer = loop.call(after: span) { onTimer() }
  }

  private func watchWritable(_ socket: Int32) {
    let onSocket = onSocket
    loop.watchWritable(socket) { onSocket(socket, ccurl_event_out.number) }
  }

}

/// Passes a change of a watched socket to its set. This is a C function, so it has no state of its own.
private func socketChanged(
  _ easy: OpaquePointer?, _ socket: Int32, _ events: Int32, _ context: UnsafeMutableRawPointer?,
  _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue().change(socket, to: events)
  return 0
}

/// Passes a change of the timer to its set.
private func timerChanged(
  _ multi: OpaquePointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds)
  return 0
}

extension Int {
  /// The value of a C constant, as an argument for libcurl.
  var number: Int32 { Int32(truncatingIfNeeded: self) }
}
