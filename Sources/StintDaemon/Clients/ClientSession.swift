import StintFormats
import StintModel
import StintServices
import StintUnits

/// The running requests of one attached client program, by the number that the program chose. Each request
/// has the last statuses of its demands, and the number of lost events.
struct ClientSession: Sendable {
  private struct Running: Sendable {
    /// The last status of each demand, by the target of the demand.
    var statuses: [DeviceID: StatusEvent] = [:]
    /// The number of events dropped since the last sent event, because the program read too slowly.
    var lost = 0
    /// The type that decodes the commands to the request.
    var commandType: any CommandMessage.Type = NoCommands.self
    /// The fetched files that the program has not read yet, by task.
    var files: [String: String] = [:]
  }

  let client: ClientID
  private var running: [Int64: Running] = [:]

  init(_ client: ClientID) { self.client = client }

  /// Returns the id of a request on the service board.
  func service(_ number: Int64) -> ServiceID { ServiceID(client, String(number)) }

  /// Returns true while the request is accepted and has not ended.
  func isRunning(_ number: Int64) -> Bool { running[number] != nil }

  /// Throws `absent` when the request is not running.
  func requireRunning(_ number: Int64) throws(Problem) {
    guard isRunning(number) else {
      throw Problem(
        .over, cause: "request \(number) is not running", remedy: "request it first, under a new number")
    }
  }

  /// The numbers of the running requests, sorted.
  var numbers: [Int64] { running.keys.sorted() }

  /// The number of running requests.
  var count: Int { running.count }

  mutating func addRequest(_ number: Int64) { running[number] = Running() }
  mutating func removeRequest(_ number: Int64) { running[number] = nil }

  /// Stores a status. Returns true when the program must be notified, because the status differs from the
  /// last status of the target. Returns false for a request that is not running.
  mutating func storeStatus(_ status: StatusEvent, of target: DeviceID, for number: Int64) -> Bool {
    guard running[number] != nil else { return false }
    return running[number]?.statuses.updateValue(status, forKey: target) != status
  }

  /// Returns the type that decodes the commands to a request.
  func commandType(to number: Int64) -> any CommandMessage.Type {
    running[number]?.commandType ?? NoCommands.self
  }

  /// Sets the type that decodes the commands to an accepted request.
  mutating func setCommandType<Request: NamedRequest>(of request: Request, to number: Int64) {
    running[number]?.commandType = Request.Message.self
  }

  /// Stores the file of a finished task.
  mutating func keep(_ file: String, of task: String, for number: Int64) {
    running[number]?.files[task] = file
  }

  /// Removes and returns the file of a task; nil when the task has no file.
  mutating func removeFile(of task: String, for number: Int64) -> String? {
    running[number]?.files.removeValue(forKey: task)
  }

  /// The fetched files that the program has not read yet, with the numbers of their requests.
  var files: [(number: Int64, file: String)] {
    running.flatMap { number, running in running.files.values.map { (number, $0) } }
      .sorted { $0.file < $1.file }
  }

  /// Counts a dropped event.
  mutating func lose(_ number: Int64) { running[number]?.lost += 1 }

  /// Returns the number of events dropped since the last call, and sets this number to 0.
  mutating func takeLost(_ number: Int64) -> Int {
    guard let lost = running[number]?.lost, lost > 0 else { return 0 }
    running[number]?.lost = 0
    return lost
  }
}
