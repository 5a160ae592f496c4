import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintReplay
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Files that earlier versions of the program wrote. They are never recorded again, so they show whether this
/// version still reads them.
@Suite("Files of earlier versions") struct KeptFilesTests {
  private static func path(_ name: String) -> String { Repository.path("Tests/Snapshots/Kept/\(name)") }

  @Test("a journal of an earlier version is replayed, and all its decisions are reproduced")
  func journal() throws {
    let moment = try JournalReplay.moment(of: Self.path("hiking.journal"), at: nil)
    #expect(moment.decisions == 6 && moment.damage == nil && !moment.isTorn && moment.unconfirmed == 0)
    #expect(moment.digest == "513de4fe891585f48e3c52839298a9c4423cffbffbf4251227bd6e6da1d16d6d")
  }

  @Test("an image with rules of version 2 is compiled again from its texts")
  func image() throws {
    let loader = PolicyLoader(vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
    let loaded = try loader.load(image: try FileText.read(Self.path("hiking-2.image")))
    #expect(loaded.program != nil && loaded.policies.map(\.name) == ["hiking"])
    #expect(loaded.program?.image == loader.load(loaded.sources).program?.image)
  }

  @Test("an image of version 2 that cannot be compiled again, because devices are missing, is refused")
  func misfit() throws {
    let loader = PolicyLoader(vocabulary: Vocabulary(manifests: []))
    let bytes = try FileText.read(Self.path("hiking-2.image"))
    let error = #expect(throws: Problem.self) { try loader.load(image: bytes) }
    #expect(error?.code == .version && error?.cause.contains("cannot be compiled again") == true)
  }

  @Test("a saved state of an earlier version is read with its policies and its earlier generations")
  func state() throws {
    let state = try DaemonState(try FileText.read(Self.path("hiking.state")))
    let generations = [state.generations.current].compactMap(\.self) + state.generations.earlier
    #expect(generations.map { $0.policies.map(\.text.utf8.count) } == [[2846], [2846]])
    #expect(generations.map(\.origin) == [.push, .file] && !state.memory.demands.isEmpty)
  }
}
