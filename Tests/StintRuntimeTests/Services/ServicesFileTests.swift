import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite struct ServicesFileTests {
  @Test("what is kept is read back to the last digit, and replaces what was kept before")
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
    "a file that keeps something else is refused with its name, and stays",
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

  @Test("a folder that is not there cannot keep anything, and says so")
  func unwritable() {
    let file = ServicesFile(TemporaryFolder().at("no/services.json"))
    #expect(throws: Problem.self) { try file.keep(.truth(true)) }
  }
}
