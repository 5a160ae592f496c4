public import StintModel
import StintSystem
public import StintUnits

/// A test host that waits for expected events on one port, for plugins that have their own thread.
public final class PortListener: Sendable {
  private let ends: (read: Int32, write: Int32)
  /// The port to pass to the plugin.
  public let port: DevicePort

  /// Makes a port and listens to it.
  ///
  /// - Precondition: the system has descriptors left.
  public init(_ manifest: Manifest) {
    var ends: [Int32] = [-1, -1]
    let result = pipe(&ends)
    precondition(result == 0, "a test needs a pipe")
    self.ends = (ends[0], ends[1])
    let writeEnd = ends[1]
    port = DevicePort(manifest: manifest) {
      var byte: UInt8 = 0
      _ = write(writeEnd, &byte, 1)
    }
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  /// Waits until an expected event has arrived.
  ///
  /// - Returns: all events since the last call, including the expected event and the events that arrived
  ///   together with it.
  /// - Throws: `Problem` when no event arrives for a minute.
  public func receive(until isExpected: (PortEvent) -> Bool) throws(Problem) -> [PortEvent] {
    var events: [PortEvent] = []
    while true {
      port.drainEvents(into: &events)
      if events.contains(where: isExpected) { return events }
      var entry = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 60_000) > 0 else {
        throw Problem(.noValidAnswer, cause: "no event arrived for a minute, after \(events)")
      }
      var bytes = [UInt8](repeating: 0, count: 64)
      _ = read(ends.read, &bytes, bytes.count)
    }
  }
}
