import Testing

@testable import StintRuntime

@Suite struct FilePathTests {
  @Test(arguments: [
    ("hiking.stint", ".", "hiking.stint"), ("policies/hiking.stint", "policies", "hiking.stint"),
    ("/etc/stint/", "/etc", "stint"), ("/etc", "/", "etc"), ("/", "/", "/"), ("a//b", "a", "b"),
    ("./a", ".", "a"),
  ])
  func `a path is split into its folder and its name`(path: String, folder: String, name: String) {
    #expect(FilePath.parent(of: path) == folder)
    #expect(FilePath.name(of: path) == name)
  }

  @Test func `joining adds a slash only where it is needed`() {
    #expect(FilePath.join(".", "a") == "a")
    #expect(FilePath.join("/", "a") == "/a")
    #expect(FilePath.join("b/", "a") == "b/a")
  }
}
