import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite struct ServicesFileTests {
  @Test("saved state is read back exactly and replaces the previous state")
  func roundTrip() throws {
    let folder = TemporaryFolder()
    let file = ServicesFile(folder.at("services.json"))
    #expect(try file.load() == nil)
    let memory = MemoryValue.record([
      "a": .number(1), "b": .number(0.1), "c": .integer(.max), "d": .text("“quoted” \"\n"),
      "e": .list([.truth(true), .record([:]), .list([])]), "f": .number(-0.0),
    ])
    try file.keep(.truth(false))
    try file.keep(memory)
    #expect(try file.load() == memory)
  }

  @Test(
    "a file with other content is refused with its path and a remedy",
    arguments: [
      "", "{", "[]", "{}", #"{"stint_services": 2, "services": true}"#, #"{"stint_services": 1}"#,
      #"{"stint_services": 1, "services": null}"#, #"{"stint_services": 1, "services": {"x": 1}}"#,
      #"{"stint_services": 1, "services": {"number": "much"}}"#,
    ])
  func refusals(text: String) throws {
    let folder = TemporaryFolder()
    folder.write("services.json", text)
    let error = #expect(throws: Problem.self) { try ServicesFile(folder.at("services.json")).load() }
    #expect(error?.place.name.hasSuffix("services.json") == true)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("saving to a missing folder is an error")
  func unwritable() {
    let file = ServicesFile(TemporaryFolder().at("no/services.json"))
    #expect(throws: Problem.self) { try file.keep(.truth(true)) }
  }
}
