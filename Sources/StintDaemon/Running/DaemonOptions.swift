package import StintRuntime

/// The paths and settings of a daemon run.
package struct DaemonOptions: Sendable {
  /// A policy file or a folder of policies, watched during the run. Nil for a run whose policies come from an
  /// app.
  package var policies: String?
  /// The number of simulated seconds per real second; 1 on a site.
  package var speed: Int64 = 1
  /// The folder in which each start of the daemon writes its own journal; nil for no journal.
  package var journal: String?
  /// The maximum total size of the journals in bytes; nil for no limit.
  package var journalLimit: Int64?
  /// The file in which policies and their state are saved for a restart; nil to save nothing.
  package var state: String?
  /// The file that keeps the services of an app for its next process; nil to keep nothing.
  package var services: String?
  /// The path of the socket for questions and client programs; nil for no socket.
  package var control: String?
  /// The group of users who may read the status through the socket; nil for no group.
  package var controlGroup: ControlGroup?
  /// A file with the seconds to add to the wall clock, read again when it changes. For tests of clock steps.
  package var clockOffset: String?
  /// The other files that the run reads, each with the name of its option. The run must not write to any of
  /// these paths.
  package var inputs: [(option: String, path: String)] = []
  /// The version of the program; nil when an app runs the daemon.
  package var version: String?
  /// True when the run handles Unix signals, and releases memory pages of the program's code (`CodeRelease`).
  /// `SignalTable` of StintRuntime defines the response to each signal. At most one run in a process may have
  /// the value true.
  package var ownsProcess = true

  /// Creates options with the defaults for everything except the policies.
  package init(policies: String?) { self.policies = policies }
}
