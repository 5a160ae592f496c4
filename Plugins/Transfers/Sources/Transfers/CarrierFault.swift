import CCurl
import StintModel

/// The reason why an attempt failed. No text of a server and no credential becomes a part of the cause.
struct CarrierFault: Error, Hashable, Sendable {
  /// The kind of a fault, which is the beginning of the reported text.
  enum Kind: String {
    /// The network cannot carry the transfer now.
    case connection
    /// The server failed, and may work later.
    case server
    /// The server refused the request, or its answer cannot be used.
    case rejected
    /// The server needs credentials, or refused them.
    case credentials
    /// The identity of the server is not proved.
    case untrusted
    /// The address of the task cannot be used.
    case address
    /// The file of an upload cannot be sent.
    case body = "body-gone"
    /// The carrier is not set up for the order.
    case setup
    /// The disk cannot store the file.
    case disk = "disk-full"
    /// The spool folder refuses a file, which an operator can repair.
    case spool
  }

  let kind: Kind
  /// The cause, as a sentence without a full stop.
  let cause: String
  /// True when a later attempt may succeed without a change of the task.
  let isTransient: Bool

  private init(_ kind: Kind, _ cause: String, isTransient: Bool = false) {
    self.kind = kind
    self.cause = cause
    self.isTransient = isTransient
  }

  /// The fault in the form of a report, such as “connection: cannot resolve the host “a.example””.
  var reported: TransferFault { TransferFault("\(kind.rawValue): \(cause)", isTransient: isTransient) }

  /// True when the operator can repair the cause, so the device also reports a fault.
  var concernsOperator: Bool { [.setup, .spool, .disk].contains(kind) }

  static func connection(_ cause: String) -> CarrierFault {
    CarrierFault(.connection, cause, isTransient: true)
  }
  static func server(_ cause: String) -> CarrierFault { CarrierFault(.server, cause, isTransient: true) }
  static func rejected(_ cause: String) -> CarrierFault { CarrierFault(.rejected, cause) }
  static func untrusted(_ cause: String) -> CarrierFault { CarrierFault(.untrusted, cause) }
  static func address(_ cause: String) -> CarrierFault { CarrierFault(.address, cause) }
  static func body(_ cause: String) -> CarrierFault { CarrierFault(.body, cause) }
  static func disk(_ cause: String) -> CarrierFault { CarrierFault(.disk, cause) }
  static func spool(_ cause: String) -> CarrierFault { CarrierFault(.spool, cause, isTransient: true) }
  static func setup(_ cause: String, isTransient: Bool = false) -> CarrierFault {
    CarrierFault(.setup, cause, isTransient: isTransient)
  }

  /// Returns the fault for an HTTP status of 300 or above.
  ///
  /// The host decides by the reported status, before this fault arrives. It retries 408, 429 and 500 to 599.
  /// It waits for credentials at 401 and 407, and fails the task at all other statuses of 400 or above. The
  /// fault for each status agrees with these decisions.
  static func status(_ status: Int, from host: String) -> CarrierFault {
    let cause = "\(host) answered with the status \(status)"
    switch status {
    case 401, 407: return CarrierFault(.credentials, cause, isTransient: true)
    case 408, 429, 500...599: return .server(cause)
    default: return .rejected(cause)
    }
  }

  /// Returns the fault of a result of libcurl.
  ///
  /// - Parameters:
  ///   - result: the result, not 0.
  ///   - detail: libcurl's sentence about this transfer; empty without a sentence.
  ///   - host: the host of the address.
  ///   - interface: the interface to which the transfer is bound; nil for any interface.
  static func result(_ result: Int32, _ detail: String, host: String, interface: String?) -> CarrierFault {
    let sentence = detail.isEmpty ? CurlLibrary.sentence(about: result) : detail
    switch result {
    case ccurl_unsupported_protocol.number, ccurl_malformed_address.number: return .address(sentence)
    case ccurl_unknown_host.number: return .connection("cannot resolve the host “\(host)”")
    case ccurl_unknown_proxy.number: return .connection("cannot resolve the host of the proxy")
    case ccurl_no_connection.number: return .connection("cannot connect to \(host): \(sentence)")
    case ccurl_no_interface.number:
      return .connection("cannot use the interface \(interface ?? ""): \(sentence)")
    case ccurl_partial_file.number: return .connection("the connection ended before the file was complete")
    case ccurl_timeout.number: return .connection("\(host) did not answer in time")
    case ccurl_untrusted_server.number:
      return .untrusted("the certificate of \(host) is not valid: \(sentence)")
    case ccurl_bad_ca_file.number: return .setup("the file of “ca_file” cannot be used: \(sentence)")
    default: return .connection("\(host): \(sentence)")
    }
  }
}
