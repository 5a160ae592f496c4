/// The exported objects by path, and the calls that they have not answered.
struct ObjectTable: Sendable {
  private var interfaces: [String: [DBusInterface]] = [:]
  private var requests: [UInt64: MessageHandle] = [:]

  var isEmpty: Bool { interfaces.isEmpty }
  /// The number of calls without an answer.
  var waiting: Int { requests.count }

  func interfaces(at path: String) -> [DBusInterface]? { interfaces[path] }

  /// Returns the names of the direct children of a path, sorted. For example, `/a` has the child `b` when
  /// `/a/b` or `/a/b/c` is exported.
  func children(of path: String) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    let names = interfaces.keys.compactMap { other -> String? in
      guard other.hasPrefix(prefix), other != path else { return nil }
      return other.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
    }
    return Set(names).sorted()
  }

  /// Replaces the interfaces of an object; nil removes the object. Returns the former interfaces.
  mutating func set(_ path: String, _ new: [DBusInterface]?) -> [DBusInterface]? {
    defer { interfaces[path] = new }
    return interfaces[path]
  }

  mutating func add(_ number: UInt64, _ request: MessageHandle) { requests[number] = request }

  /// Removes a call before its answer is sent. Returns nil when the bus was lost after the call.
  mutating func removeRequest(_ number: UInt64) -> MessageHandle? { requests.removeValue(forKey: number) }

  /// Drops all calls without an answer, because their bus is lost.
  mutating func releaseRequests() {
    for request in requests.values { request.release() }
    requests = [:]
  }
}
