import StintFormats
import StintLanguage
import StintUnits

/// A request of a client, as the socket received it.
struct ControlQuestion: Sendable {
  /// The number of bytes above which a request is read on another thread, because reading takes long.
  static let maxInlineBytes = 64 << 10

  /// The JSON value of the request, or the problem of a text that is not JSON.
  let content: Result<JSONValue, Problem>
  /// The text of a push; nil for other requests and for a text that is too long.
  let source: SourceText?

  /// Reads a request.
  init(_ text: String) {
    do throws(Problem) {
      let value = try JSONReader.value(of: text, source: "question")
      content = .success(value)
      source = Self.source(in: value)
    } catch {
      content = .failure(error)
      source = nil
    }
  }

  private static func source(in value: JSONValue) -> SourceText? {
    guard value["ask"]?.string == "push", let file = value["file"]?.string, let text = value["text"]?.string,
      text.utf8.count <= SourceText.maxBytes
    else { return nil }
    return SourceText(file: file, text: text)
  }

  /// True for a message of a client program, such as “attach”. False for a request that has one reply.
  var isClientMessage: Bool {
    guard case .success(let value) = content, let name = value.members?.first?.name else { return false }
    return ClientMessage.kinds.contains(name)
  }
}
