import StintFormats
import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct ServicesFileTests {
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: "radio.wifi", kind: .radio, title: "",
      states: [PowerState(name: "idle", power: .zero, isOn: false)])
  ])

  /// Returns a board with a transfer session, whose client is detached.
  private func used() -> ServiceBoard {
    var board = ServiceBoard(Self.vocabulary, at: .epoch)
    let session = ServiceID("mail", "“in” \"box\"")
    _ = board.step(
      [
        .attach("mail", permissions: .always, mayBackground: true),
        .ask(session, TransferConfiguration.discretionary, receivers: .both),
        .command(
          session, TransferCommand.create("a", TransferRequest(.download(from: "https://example.org")))),
        .detach("mail"),
      ], at: .epoch + .seconds(1))
    return board
  }

  @Test("saved state is read back exactly and replaces the previous state")
  func roundTrip() throws {
    let folder = TemporaryFolder()
    let file = ServicesFile(folder.at("services.json"))
    #expect(try file.load() == nil)
    try file.keep(Array("{}".utf8))
    let content = try ServicesFile.content(for: used().saved)
    try file.keep(content)
    let saved = try #require(try file.load())
    #expect(try ServicesFile.content(for: saved) == content)
    #expect(String(decoding: content, as: UTF8.self).contains("https://example.org"))
  }

  @Test(
    "files of the versions 1 and 2 give the services, notices and permissions that they contain",
    arguments: [1, 2])
  func earlier(version: Int) throws {
    let path = Repository.path("Tests/Snapshots/Services/services-\(version).json")
    let saved = try #require(try ServicesFile(path).load())
    let content = try ServicesFile.content(for: saved)
    let expected = try FileText.read(Repository.path("Tests/Snapshots/Services/services-3.json"))
    #expect(String(decoding: content, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
  }

  @Test(
    "a services file with invalid content or a newer version is refused with its path and a remedy",
    arguments: [
      "", "{", "[]", "{}", #"{"stint_services": 4, "services": true}"#, #"{"stint_services": 2}"#,
      #"{"stint_services": 2, "services": null}"#, #"{"stint_services": 2, "services": {"x": 1}}"#,
    ])
  func refusals(text: String) throws {
    let folder = TemporaryFolder()
    folder.write("services.json", text)
    let error = #expect(throws: Problem.self) { try ServicesFile(folder.at("services.json")).load() }
    #expect(error?.place.name.hasSuffix("services.json") == true)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test(
    "a file that Stint has not written is never renamed; a damaged or cut services file is",
    arguments: [("\u{7F}ELF", false), ("{\"name\": 1}", false), ("{\"stint_serv", true), ("", true)])
  func unexpectedContent(text: String, isRenamed: Bool) throws {
    let folder = TemporaryFolder()
    folder.write("ls", text)
    if isRenamed {
      #expect(try ServicesFile(folder.at("ls")).loadOrReject().refusal != nil)
    } else {
      let problem = #expect(throws: Problem.self) { try ServicesFile(folder.at("ls")).loadOrReject() }
      #expect(problem?.place.name == folder.at("ls") && problem?.remedy.isEmpty == false)
    }
    #expect(try Folder.names(in: folder.path) == [isRenamed ? "ls.refused" : "ls"])
  }

  @Test("each services file begins with the bytes by which a damaged file is recognised")
  func beginning() throws {
    let content = try ServicesFile.content(for: used().saved)
    #expect(content.starts(with: Array("{\"stint_services\"".utf8)))
  }

  @Test("saving to a missing folder is an error")
  func unwritable() {
    let file = ServicesFile(TemporaryFolder().at("no/services.json"))
    #expect(throws: Problem.self) { try file.keep([]) }
  }
}
