import Testing

@Suite("Imports follow the table")
struct ImportTests {
  @Test("every folder under Sources and Tests/Lab has a row in the table, and every row has a folder")
  func foldersAndRowsAgree() {
    let folders = ["Sources", "Tests/Lab"].flatMap(SourceTree.entries).filter(\.isFolder).map(\.name)
    #expect(folders.sorted() == ImportTable.rows.map(\.module).sorted())
    // A plugin in a language other than Swift is not a module.
    let plugins = SourceTree.entries(of: "Plugins").filter { folder in
      folder.isFolder && SourceTree.entries(of: "Plugins/" + folder.name).contains { $0.name == "Sources" }
    }.map { "Stint" + $0.name }
    #expect(plugins == ImportTable.plugins.map(\.module).sorted())
  }

  @Test("every module imports only the modules of its row", arguments: ImportTable.rows + ImportTable.plugins)
  func importsStayWithinTheRow(row: ImportTable.Row) {
    let outside = ImportTable.everywhere.union(row.isCore ? [] : ImportTable.atTheEdges)
    let allowed = row.mayImport.union(outside)
    for file in SourceTree.files where file.isSource && file.module == row.module {
      for name in file.imports {
        #expect(
          allowed.contains(name.text), "\(file.path):\(name.line): \(row.module) may not import \(name.text)")
      }
    }
  }

  @Test("a row contains only modules of earlier rows, so there are no cycles")
  func noCycles() {
    var above = Set(ImportTable.plugins.map(\.module))
    for row in ImportTable.rows {
      #expect(row.mayImport.isSubset(of: above), "\(row.module)")
      above.insert(row.module)
    }
  }

  @Test("ARCHITECTURE.md contains each row of the import table", arguments: ImportTable.rows)
  func documentAgrees(row: ImportTable.Row) {
    let text = String(decoding: SourceTree.bytes(of: "ARCHITECTURE.md"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("| `\(row.module)` |") }
    let cells = (line ?? "").split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(cells.count == 3)
    let names = (cells.last ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
    #expect(
      Set(names.filter { $0 != "–" }.map { $0 == "Stint" || $0.hasPrefix("CStint") ? $0 : "Stint" + $0 })
        == row.mayImport)
  }

  @Test("the package depends on no other package")
  func noPackageDependencies() {
    let manifest = SourceFile(path: "Package.swift", bytes: SourceTree.bytes(of: "Package.swift"))
    #expect(!manifest.code.isEmpty)
    #expect(manifest.lines(of: [".", "package", "("]).isEmpty)
  }

  @Test("no file outside of the package Tests/Embedding imports Foundation or Dispatch")
  func noFoundation() {
    let banned: Set<String> = ["Foundation", "FoundationEssentials", "Dispatch"]
    for file in SourceTree.files where !file.path.hasPrefix("Tests/Embedding/") {
      for name in file.imports {
        #expect(!banned.contains(name.text), "\(file.path):\(name.line): \(name.text)")
      }
    }
  }
}
