import StintFormats
import StintLanguage
import StintModel
import StintTestSupport
import StintTools
import Testing

@Suite("Example policies of plugins")
struct ExamplePolicyTests {
  @Test("the policy of the thermometer loads on its manifest and passes its tests")
  func thermometer() throws {
    let folder = Repository.path("Plugins/Thermometer")
    let vocabulary = Vocabulary(manifests: [try ManifestReader.manifest(path: folder + "/manifest.json")])
    let sources = try PolicyFiles.read([folder + "/warm.stint"])
    let check = PolicyCheck(sources, vocabulary: vocabulary)
    #expect(check.diagnostics.isEmpty, "\(check.diagnostics)")
    let report = try PolicyTests(sources, vocabulary: vocabulary).run(coverage: false, mutate: false)
    #expect(!report.outcomes.isEmpty && report.outcomes.allSatisfy(\.hasPassed))
  }
}
