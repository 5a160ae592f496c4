/// A message in a channel, without its type.
///
/// Channels for the messages of apps have this one element type. With the app's type as element, the compiler
/// could not specialize the channel, because the channel and the app are in different modules. The
/// unspecialized code needs 5 times as much processor time.
public struct UntypedMessage: SampleContainer {
  @usableFromInline let object: any AnyObject & Sendable

  /// Wraps a message.
  @inlinable
  public init<Message: Sendable>(_ message: TypedMessage<Message>) { object = message }

  var sampleCount: Int { 1 }

  /// The message with its type.
  ///
  /// - Precondition: the message was made with this type.
  @inlinable
  public func content<Message: Sendable>(as type: Message.Type) -> Message {
    guard let typed = object as? TypedMessage<Message> else {
      preconditionFailure("a topic has messages of one type")
    }
    return typed.content
  }
}

/// A message with its type. All subscribers share it.
public final class TypedMessage<Message: Sendable>: Sendable {
  /// The message of the app.
  public let content: Message

  /// Makes a message.
  @inlinable
  public init(_ content: Message) { self.content = content }
}
