package import StintLanguage
package import StintRuntime

extension Daemon {
  /// The functions that read and compile the policies of a daemon.
  package struct PolicyAccess: Sendable {
    /// Reads the texts of the watched policies.
    package var read: @Sendable () throws -> [SourceText]
    /// Checks and compiles policies; throws `PolicyRejection` for policies with errors.
    package var load: @Sendable ([SourceText]) throws -> PolicyLoader.Loaded
    /// Loads the watched policies or an image, for the start.
    package var loadFirst: @Sendable () throws -> PolicyLoader.Loaded

    /// Creates the access.
    package init(
      read: @escaping @Sendable () throws -> [SourceText],
      load: @escaping @Sendable ([SourceText]) throws -> PolicyLoader.Loaded,
      loadFirst: @escaping @Sendable () throws -> PolicyLoader.Loaded
    ) {
      self.read = read
      self.load = load
      self.loadFirst = loadFirst
    }
  }
}

/// The error for policies with errors.
package struct PolicyRejection: Error, Sendable {
  /// The diagnostics as lines of text.
  package let text: String

  /// Creates the error from rendered diagnostics.
  package init(text: String) { self.text = text }
}
