import StintFormats
import StintModel
import StintRuntime
import StintUnits
import Testing

@testable import StintDaemon

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The answers of a daemon that still waits for its files.
@Suite struct StartWatchTests {
  /// Sends one line to a starting daemon that waits for its policies, and returns the answer.
  private func answer(to line: String) throws -> JSONValue {
    var template = Array("/tmp/stint-test-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = folder + "/control"
    defer {
      unlink(path)
      rmdir(folder)
    }
    var options = DaemonOptions(policies: "policies")
    options.control = path
    let watch = try StartWatch(options, after: .milliseconds(1), log: RunLog { (_: DaemonEvent) in })
    watch.mayListen()
    watch.enter("policies")
    let lines = try connected(to: path)
    try lines.send(line)
    let reply = try #require(try lines.next())
    #expect(try lines.next() == nil, "the connection stays open after \(reply)")
    watch.end()
    return try JSONReader.value(of: reply, source: "answer")
  }

  /// Connects as soon as the daemon listens.
  private func connected(to path: String) throws -> ControlLines {
    while true {
      do { return try ControlLines(at: path) } catch {
        guard error.code == .unreachable else { throw error }
      }
    }
  }

  @Test(
    "while the daemon starts, each request gets the problem “starting” and the name of the awaited file",
    arguments: [
      #"{"ask":"status"}"#, #"{"ask":"why","device":"location.gnss"}"#,
      #"{"ask":"push","file":"a","text":""}"#,
      #"{"ask":"permit","client":"map"}"#, #"{"ask":"rollback"}"#, #"{"ask":"unknown"}"#, "no JSON",
    ])
  func requests(line: String) throws {
    let reply = try answer(to: line)
    #expect(reply["ok"]?.boolean == false)
    #expect(reply["problem"]?.string == "starting")
    #expect(reply["text"]?.string?.contains("the daemon starts; it has waited for policies for ") == true)
  }

  @Test("while the daemon starts, an attach gets the problem “late” with the remedy to attach again")
  func attach() throws {
    let problem = try #require(try answer(to: #"{"attach":{"name":"map"}}"#)["problem"])
    #expect(problem["code"]?.string == Problem.Code.timedOut.name)
    #expect(problem["cause"]?.string?.contains("it has waited for policies for ") == true)
    #expect(problem["remedy"]?.string == "attach again later")
  }

  @Test(
    "while the daemon starts, another message of a program gets the problem that it gets after the start",
    arguments: [
      #"{"request":{"id":1,"kind":"updates"}}"#, #"{"command":{"id":1,"pause":true}}"#, #"{"end":{"id":1}}"#,
      #"{"presence":"background"}"#, #"{"publish":{"hike.left":"5 km"}}"#,
      #"{"outlook":{"device":"location.gnss"}}"#,
    ])
  func messages(line: String) throws {
    let problem = try #require(try answer(to: line)["problem"])
    #expect(problem["code"]?.string == Problem.Code.order.name)
    #expect(problem["remedy"]?.string == "attach before requests")
  }
}
