import StintRuntime
import Testing

@testable import Stint

/// The calls in progress of attached clients, and the detach that waits for them.
@Suite struct AttachmentsTests {
  @Test("a detach without a call in progress does not wait")
  func idle() throws {
    var attachments = Attachments()
    let number = attachments.add("app")
    let lastCall = try first(attachments.beginDetach(of: "app", number))
    #expect(lastCall)
  }

  @Test("a detach waits for the last of two calls, and refuses further calls")
  func calls() throws {
    var attachments = Attachments()
    let number = attachments.add("app")
    let areBegun = (attachments.beginCall(of: "app", number), attachments.beginCall(of: "app", number))
    #expect(areBegun == (true, true))
    guard case .first(let lastCall) = attachments.beginDetach(of: "app", number) else {
      throw Unexpected()
    }
    let isBegun = attachments.beginCall(of: "app", number)
    #expect(!isBegun, "the client leaves")
    attachments.endCall(of: "app")
    #expect(lastCall.content == nil)
    attachments.endCall(of: "app")
    #expect(lastCall.content != nil)
  }

  @Test("a second detach waits for the first one; a detach after `remove` has nothing to do")
  func twice() throws {
    var attachments = Attachments()
    let number = attachments.add("app")
    _ = try first(attachments.beginDetach(of: "app", number))
    guard case .inProgress(let end) = attachments.beginDetach(of: "app", number) else { throw Unexpected() }
    #expect(end.content == nil)
    attachments.remove("app")
    #expect(end.content != nil)
    guard case .over = attachments.beginDetach(of: "app", number) else { throw Unexpected() }
  }

  @Test("a client that got the name later is not affected by the number of the former client")
  func reuse() {
    var attachments = Attachments()
    let old = attachments.add("app")
    attachments.remove("app")
    let new = attachments.add("app")
    #expect(old != new)
    let areBegun = (attachments.beginCall(of: "app", old), attachments.beginCall(of: "app", new))
    #expect(areBegun == (false, true))
    guard case .over = attachments.beginDetach(of: "app", old) else {
      Issue.record("the former client has left")
      return
    }
  }

  private struct Unexpected: Error {}

  /// Returns whether the calls of a first detach have ended. Throws for any other result.
  private func first(_ departure: Attachments.Departure) throws -> Bool {
    guard case .first(let lastCall) = departure else { throw Unexpected() }
    return lastCall.content != nil
  }
}
