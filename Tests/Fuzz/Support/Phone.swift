import StintModel
import StintSimulation

/// The phone that the fuzzers' policies use; the shipped policies are valid for this phone.
enum Phone {
  static let vocabulary: Vocabulary = {
    do {
      return Vocabulary(manifests: try ReferencePhone.manifests())
    } catch {
      preconditionFailure("the manifests of the reference phone cannot be read: \(error)")
    }
  }()
}
