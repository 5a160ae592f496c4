import StintPluginKit
import StintUnits

/// The calls of `AttributeFolder` with this plugin's error type.
extension AttributeFolder {
  func readText(_ name: String) throws(IIOFault) -> String {
    do throws(Problem) { return try text(name) } catch { throw IIOFault(error.description) }
  }

  func readNumber(_ name: String) throws(IIOFault) -> Double {
    do throws(Problem) { return try number(name) } catch { throw IIOFault(error.description) }
  }

  func put(_ text: String, into name: String) throws(IIOFault) {
    do throws(Problem) { try write(text, to: name) } catch { throw IIOFault(error.description) }
  }
}
