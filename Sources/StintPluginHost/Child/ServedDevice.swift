import StintModel

/// The data about a device of a plugin that outlive the plugin's processes.
struct ServedDevice: Sendable {
  /// The last setting of the device.
  var setting: Setting?
  /// The sequence number of the first sample of the next process.
  var nextSample: UInt64 = 0
  /// The number of lost samples of the processes that have ended.
  var lostSamples: UInt64 = 0
  /// The number of held samples that were lost when processes ended.
  var lostHeldSamples = 0
  /// The number of held samples whose loss was counted and not reported yet.
  var unreportedLoss = 0
  /// True after the present process has reported that the device is gone, until the device is back.
  var isAbsent = false
  /// True from a `read` (the request for the facts of a source) until its answer. The next process gets an
  /// unanswered request again.
  var awaitsReading = false
  /// True from a `drain` (the request for the stored samples) until the host was woken after the answer.
  var awaitsDrain = false
}
