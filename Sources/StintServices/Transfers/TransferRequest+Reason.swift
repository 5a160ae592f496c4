import StintModel
import StintUnits

extension TransferOrder: ServiceOrder {}

extension TransferRequest {
  /// The reason why this request must be rejected; nil when the request is valid.
  var rejectionReason: ServiceFailure? {
    let textFault: String? =
      switch kind {
      case .uploadFromMemory:
        "only files can be sent, because the client may be gone; write the bytes to a file"
      case .download(let address): InputBounds.rejectionReason(forAddress: address)
      case .upload(let file, let address):
        InputBounds.rejectionReason(forPath: file) ?? InputBounds.rejectionReason(forAddress: address)
      }
    if let textFault { return ServiceFailure(.invalid, textFault) }
    if bytesUp < 0 || bytesDown < 0 {
      return ServiceFailure(.invalid, "the number of bytes is negative; use 0 or more")
    }
    if max(bytesUp, bytesDown) > InputBounds.bytes {
      return ServiceFailure(.invalid, "the task exceeds \(InputBounds.bytes) bytes each way; split it")
    }
    return ServiceFailure(window, "the window", .period)
  }
}
