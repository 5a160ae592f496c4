import StintAuthoring
import StintFormats
import StintLanguage
import StintModel
import StintSimulation
import Testing

@testable import StintTools

@Suite("SARIF")
struct SarifTests {
  private static let text = """
    policy "a" version 1
    rule é while battery.level < 20 and screen.on for 5 m {
      pause location.gnss
    }
    """

  private func run(_ text: String, file: String = "a.stint") throws -> JSONValue {
    let check = PolicyCheck(
      [SourceText(file: file, text: text)], vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
    // Reads the written text back, so that the tests check the output itself.
    let log = try JSONReader.value(of: Array(check.text(in: .sarif).utf8), source: "log")
    #expect(log["version"]?.string == "2.1.0")
    #expect(log["$schema"]?.string == "https://json.schemastore.org/sarif-2.1.0.json")
    let runs = try #require(log["runs"]?.items)
    #expect(runs.count == 1)
    return runs[0]
  }

  @Test("the driver contains each diagnostic code with its page")
  func rules() throws {
    let driver = try #require(try run("policy \"a\" version 1\n")["tool"]?["driver"])
    #expect(driver["name"]?.string == "stint")
    let rules = try #require(driver["rules"]?.items)
    #expect(rules.compactMap { $0["id"]?.string } == DiagnosticCode.all.map(\.name).sorted())
    for rule in rules {
      #expect(rule["shortDescription"]?["text"]?.string?.isEmpty == false)
      #expect(rule["fullDescription"]?["text"]?.string?.isEmpty == false)
      #expect(
        rule["help"]?["markdown"]?.string?.contains("```stint\npolicy") == true
          || rule["id"]?.string == "P0101")
      #expect(["error", "warning"].contains(rule["defaultConfiguration"]?["level"]?.string))
    }
  }

  @Test("each result has its rule, its location, its related locations and its fix")
  func results() throws {
    let run = try run(Self.text.replacing("é", with: "x"))
    let results = try #require(run["results"]?.items)
    #expect(results.compactMap { $0["ruleId"]?.string } == ["P0303", "P0302"])
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.items)
    for result in results {
      let index = try #require(result["ruleIndex"]?.integer)
      #expect(rules[Int(index)]["id"]?.string == result["ruleId"]?.string)
      #expect(result["level"]?.string == "error")
      #expect(result["locations"]?.items?.count == 1)
    }
    let first = results[0]
    let region = first["locations"]?.items?[0]["physicalLocation"]?["region"]
    #expect(region?["startLine"]?.integer == 2 && region?["startColumn"]?.integer == 30)
    #expect(region?["endLine"]?.integer == 2 && region?["endColumn"]?.integer == 32)
    let related = first["relatedLocations"]?.items?[0]
    #expect(related?["message"]?["text"]?.string == "a percentage")
    #expect(related?["physicalLocation"]?["region"]?["startColumn"]?.integer == 14)
    let change = first["fixes"]?.items?[0]["artifactChanges"]?.items?[0]
    #expect(change?["artifactLocation"]?["uri"]?.string == "a.stint")
    #expect(change?["replacements"]?.items?[0]["insertedContent"]?["text"]?.string == "20 %")
    #expect(change?["replacements"]?.items?[0]["deletedRegion"]?["endColumn"]?.integer == 32)
  }

  @Test("columns count code points, and paths are URI references")
  func columns() throws {
    let run = try run(
      "policy \"a\" # e\u{301} 🔋\nlet b = \"🔋\u{301}\" == batery.level\n", file: "/tmp/a b/ü.stint")
    let location = run["results"]?.items?.first?["locations"]?.items?[0]["physicalLocation"]
    #expect(location?["artifactLocation"]?["uri"]?.string == "file:///tmp/a%20b/%C3%BC.stint")
    #expect(run["columnKind"]?.string == "unicodeCodePoints")
    let columns = run["results"]?.items?.compactMap {
      $0["locations"]?.items?[0]["physicalLocation"]?["region"]?["startColumn"]?.integer
    }
    #expect(columns?.contains(17) == true, "\(columns as Any)")
  }

  /// The required members of each kind of object, by the schema of SARIF 2.1.0.
  private static let required: [String: [String]] = [
    "runs": ["tool"], "tool": ["driver"], "driver": ["name"], "rules": ["id"], "results": ["message"],
    "invocations": ["executionSuccessful"], "fixes": ["artifactChanges"],
    "artifactChanges": ["artifactLocation", "replacements"], "replacements": ["deletedRegion"],
    "message": ["text"], "shortDescription": ["text"], "fullDescription": ["text"], "help": ["text"],
    "description": ["text"],
  ]

  /// Checks the required members of `value`, which is the member `name` of its object, and of all values
  /// inside it.
  private func checkRequired(_ value: JSONValue, _ name: String) {
    for item in value.items ?? [] { checkRequired(item, name) }
    guard let members = value.members else { return }
    let names = members.map(\.name)
    for needed in Self.required[name] ?? [] { #expect(names.contains(needed), "\(needed) of \(name)") }
    if name.hasSuffix("egion") {
      let numbers = ["startLine", "startColumn", "endLine", "endColumn"].map { value[$0]?.integer ?? 0 }
      #expect(numbers.allSatisfy { $0 >= 1 }, "\(numbers)")
      #expect((numbers[0], numbers[1]) <= (numbers[2], numbers[3]), "\(numbers)")
    }
    for member in members { checkRequired(member.value, member.name) }
  }

  @Test("the log of each diagnostic has the members that the schema requires", arguments: DiagnosticPage.all)
  func schema(_ page: DiagnosticPage) throws {
    let check = PolicyCheck(
      [SourceText(file: "a.stint", bytes: page.wrongBytes)],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()),
      limits: CostLimits(slots: page.maxSlots))
    let log = try JSONReader.value(of: Array(check.text(in: .sarif).utf8), source: "log")
    #expect(log["version"]?.string == "2.1.0")
    let runs = try #require(log["runs"])
    checkRequired(runs, "runs")
    let results = try #require(runs.items?.first?["results"]?.items)
    #expect(results.contains { $0["ruleId"]?.string == page.code.name })
    for result in results {
      #expect(["error", "warning", "note"].contains(result["level"]?.string))
      #expect(result["locations"]?.items?.count == 1)
    }
  }

  @Test("results refer to their own file, and a UTF-16 file has no text fix")
  func files() throws {
    let wide: [UInt8] = [0xFF, 0xFE] + "policy \"b\" version 1\n".utf8.flatMap { [$0, 0] }
    let check = PolicyCheck(
      [SourceText(file: "a.stint", text: Self.text), SourceText(file: "b.stint", bytes: wide)],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
    let run = try #require(check.sarif["runs"]?.items?.first)
    #expect(run["artifacts"]?.items?.compactMap { $0["encoding"]?.string } == ["UTF-8", "UTF-16"])
    let result = try #require(run["results"]?.items?.first { $0["ruleId"]?.string == "P0003" })
    let artifact = result["locations"]?.items?[0]["physicalLocation"]?["artifactLocation"]
    #expect(artifact?["uri"]?.string == "b.stint" && artifact?["index"]?.integer == 1)
    #expect(result["fixes"] == nil)
  }

  @Test("a policy without diagnostics has no results")
  func clean() throws {
    #expect(try run("policy \"a\" version 1\n")["results"]?.items?.isEmpty == true)
  }
}
