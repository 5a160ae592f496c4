import StintPluginKit

/// An error of a call on a message bus.
struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }

  /// Makes an error from the library's result, which is a negative `errno`.
  init(_ number: Int32, _ what: String) {
    self.init("\(what): \(DescriptorCalls.reason(-number))")
  }
}
