import StintLanguageServer
import Testing

@Suite("File URIs of editors")
struct FileAddressTests {
  @Test(
    "a path converts to a URI, and the URI converts back to the path",
    arguments: [
      ("/policies/a.stint", "file:///policies/a.stint"),
      ("/night shift/größe.stint", "file:///night%20shift/gr%C3%B6%C3%9Fe.stint"),
      ("/100%/#1?.stint", "file:///100%25/%231%3F.stint"), ("/tab\t", "file:///tab%09"),
      ("/😀", "file:///%F0%9F%98%80"), ("/", "file:///"),
    ])
  func bothWays(path: String, address: String) {
    #expect(FileURI.address(of: path) == address)
    #expect(FileURI.path(of: address) == path)
  }

  @Test(
    "equivalent forms of a URI convert to the same path",
    arguments: [
      ("file://localhost/a", "/a"), ("file:///c%3a/x", "/c:/x"), ("file:///%61", "/a"),
      ("file:///größe", "/größe"),
    ])
  func otherWays(address: String, path: String) { #expect(FileURI.path(of: address) == path) }

  @Test(
    "a URI that is not a local file has no path",
    arguments: [
      "", "untitled:1", "file://elsewhere/a", "file:", "https://example.org/a", "file:///%", "file:///%4",
      "file:///%zz", "file:///%+1", "file:///%FF", "file:///a%00b",
    ])
  func noPath(address: String) { #expect(FileURI.path(of: address) == nil) }
}
