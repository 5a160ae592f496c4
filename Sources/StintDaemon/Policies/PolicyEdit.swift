package import StintFormats
import StintGovernor
package import StintLanguage
import StintModel
package import StintRuntime
package import StintUnits

/// A requested change of the policies, with the callback for its outcome.
package struct PolicyEdit: Sendable {
  /// The source of the new policies.
  package enum Kind: Sendable {
    /// The watched files changed. The closure reads them when the edit is prepared.
    case files(@Sendable () throws -> [SourceText])
    /// A policy text, which replaces the text with the same policy name or file. When there is no such text,
    /// the new text is added.
    case push(SourceText)
    /// Policies that an app supplies. They replace all policies. The closure loads them on a separate thread.
    case supplied(@Sendable () throws -> PolicyLoader.Loaded)
    /// A return to the previous generation of policies.
    case rollback
  }

  let kind: Kind
  /// Returns the process that requested the edit, for the log and the journal; may block. Nil when the daemon
  /// itself makes the edit.
  let author: (@Sendable () -> String)?
  let answer: @Sendable (PolicyStore.Outcome?) -> Void

  /// Creates an edit; `answer` may be called on any thread. It receives nil when the run ends before the edit
  /// comes into force.
  package init(
    kind: Kind, author: (@Sendable () -> String)? = nil,
    answer: @escaping @Sendable (PolicyStore.Outcome?) -> Void
  ) {
    self.kind = kind
    self.author = author
    self.answer = answer
  }

  var origin: PolicyGeneration.Origin {
    switch kind {
    case .files: .file
    case .push, .supplied: .push
    case .rollback: .rollback
    }
  }

  /// The verb for the outcome of an edit in force.
  var verb: String {
    switch kind {
    case .rollback: "went back to"
    case .push, .supplied: "switched to"
    case .files: "reloaded"
    }
  }
}

/// An edit with the result of its preparation: reading, checking, compiling and verification.
struct PreparedEdit: Sendable {
  enum Result: Sendable {
    // A prepared program is large, and the queue rarely contains such a program.
    indirect case accepted(PolicyLoader.Loaded, PreparedProgram, PolicyRecord)
    /// The files did not change.
    case unchanged
    /// The files cannot be read; the text is the reason.
    case unread(String)
    /// The new set of policies is empty.
    case empty
    /// The problems as lines of text, a sentence about the consequence, and the failure of an operation.
    case refused(String, ending: String, cause: Problem? = nil)

    /// Loads policies and prepares them for a governor. May take long.
    init(_ governor: Governor, _ load: () throws -> PolicyLoader.Loaded) {
      do {
        let fresh = try load()
        guard let program = fresh.program else {
          self = .empty
          return
        }
        self = .accepted(fresh, try governor.prepare(program), PolicyRecord(fresh.journalPolicies, program))
      } catch let rejection as PolicyRejection {
        self = .refused(rejection.text, ending: "the edit is refused; the current policies stay in force")
      } catch {
        self = .refused(
          "\(error)", ending: "nothing was loaded; the current policies stay in force",
          cause: error as? Problem)
      }
    }
  }

  let edit: PolicyEdit
  var result: Result
  /// The process that requested the edit; nil when the daemon itself makes it.
  var author: String?

  /// Notes the process that requested the edit, also in the record for the journal.
  mutating func note(_ author: String?) {
    self.author = author
    guard case .accepted(let loaded, let program, var record) = result else { return }
    record.author = author
    result = .accepted(loaded, program, record)
  }
}

extension PolicyStore {
  /// The outcome of an attempt to put policies in force.
  package struct Outcome: Sendable {
    /// The reason for a declined request, as a code for programs.
    package enum Problem: String, Sendable {
      case unknownName = "unknown_name"
      /// The daemon still waits for its files. The same request may succeed later.
      case starting
    }

    package var isDone: Bool
    package var text: String
    package var problem: Problem?
    /// The problem of an operation that failed, such as reading a file.
    package var cause: StintUnits.Problem?
    /// The report for `--json`; nil when there is only text.
    package var report: JSONValue?
    /// The process that requested the change; nil when the daemon itself made it.
    package var author: String?

    /// Writes the text and the author to the log, as a problem when nothing was changed.
    func write(to log: RunLog) {
      let text = text + (author.map { "\nrequested by \($0)" } ?? "")
      let event = RunEvent.policies(isChanged: isDone)
      if isDone { log(text, about: event) } else { log.problem(text, about: event) }
    }

    package init(
      isDone: Bool, text: String, problem: Problem? = nil, cause: StintUnits.Problem? = nil,
      report: JSONValue? = nil
    ) {
      self.isDone = isDone
      self.text = text
      self.cause = cause
      self.problem = problem
      self.report = report
    }
  }
}
