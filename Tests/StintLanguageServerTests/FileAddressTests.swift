import StintLanguageServer
import Testing

@Suite("Addresses of files, as editors write them")
struct FileAddressTests {
  @Test(
    "a path has an address, and the address that path",
    arguments: [
      ("/policies/a.stint", "file:///policies/a.stint"),
      ("/night shift/größe.stint", "file:///night%20shift/gr%C3%B6%C3%9Fe.stint"),
      ("/100%/#1?.stint", "file:///100%25/%231%3F.stint"), ("/tab\t", "file:///tab%09"),
      ("/😀", "file:///%F0%9F%98%80"), ("/", "file:///"),
    ])
  func bothWays(path: String, address: String) {
    #expect(FileAddress.address(of: path) == address)
    #expect(FileAddress.path(of: address) == path)
  }

  @Test(
    "an address may be written in other ways",
    arguments: [
      ("file://localhost/a", "/a"), ("file:///c%3a/x", "/c:/x"), ("file:///%61", "/a"),
      ("file:///größe", "/größe"),
    ])
  func otherWays(address: String, path: String) { #expect(FileAddress.path(of: address) == path) }

  @Test(
    "what is no file of this machine has no path",
    arguments: [
      "", "untitled:1", "file://elsewhere/a", "file:", "https://example.org/a", "file:///%", "file:///%4",
      "file:///%zz", "file:///%+1", "file:///%FF", "file:///a%00b",
    ])
  func noPath(address: String) { #expect(FileAddress.path(of: address) == nil) }
}
