import StintModel
import StintUnits
import Testing

@testable import StintFormats

/// The schemas in `grammar/schemas/files` are written by hand, with the keys that the readers accept.
@Suite("Keys in the schemas of files") struct SchemaKeyTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/grammar/schemas/files"

  private func properties(_ file: String, of path: [String] = []) throws -> Set<String> {
    let bytes = try WholeFile.bytes(of: "\(Self.folder)/\(file).json")
    var value: JSONValue? = try JSONReader.value(of: bytes, source: file)
    for key in path { value = value?["properties"]?[key]?["items"] }
    return Set(try #require(value?["properties"]?.members).map(\.name))
  }

  @Test("a schema has the keys that the reader of manifests, facts, classes, sites or scenarios accepts")
  func keys() throws {
    #expect(try properties("manifest") == Set(ManifestReader.keys + ManifestReader.newKeys))
    #expect(try properties("manifest", of: ["facts"]) == Set(FactSchemaReading.keys))
    #expect(try properties("../class") == Set(DeviceClassReader.keys))
    #expect(try properties("../class", of: ["facts"]) == Set(DeviceClassReader.partKeys))
    #expect(try properties("scenario") == Set(ScenarioReader.keys))
    #expect(try properties("site") == Set(SiteReader.keys))
  }
}
