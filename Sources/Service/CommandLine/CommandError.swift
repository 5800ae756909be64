import Glibc

/// A failure of a command; the description says what to do about it.
package struct CommandError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Returns the system's message for an error number (strerror(3)).
package func systemError(_ number: Int32 = errno) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
