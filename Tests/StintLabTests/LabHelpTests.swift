import StintCommands
import StintTools
import Testing

@testable import StintLab

@Suite struct LabHelpTests {
  @Test func `no line of a help page of the lab is wider than 80 columns`() {
    let table = LabCommands.table
    let pages = table.definitions.map { table.page(of: $0, .plain) } + [table.overview(.plain)]
    for line in pages.joined(separator: "\n").split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }
}
