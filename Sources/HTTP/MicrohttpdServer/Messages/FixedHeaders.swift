import FusionHTTPMessages
import Glibc

/// The header fields of every response, as C strings made once.
@safe final class FixedHeaders: Sendable {
  @safe struct Header {
    let name: UnsafeMutablePointer<CChar>
    let value: UnsafeMutablePointer<CChar>
    fileprivate let field: HTTPHeaders.Field
    fileprivate let nameLength: Int

    /// Returns whether `fields` have one of this name.
    func isAmong(_ fields: [HTTPHeaders.Field]) -> Bool {
      // Lengths first: they nearly always differ.
      for other in fields where other.name.utf8.count == nameLength {
        if other.isNamed(field.name) { return true }
      }
      return false
    }
  }

  nonisolated(unsafe) let all: [Header]
  // Guard: immutable after init, memory included, until deinit frees it.

  init(_ fields: [HTTPHeaders.Field]) {
    unsafe all = fields.compactMap { field in
      guard let name = unsafe strdup(field.name), let value = unsafe strdup(field.value) else {
        return nil
      }
      return unsafe Header(
        name: name,
        value: value,
        field: field,
        nameLength: field.name.utf8.count
      )
    }
  }

  deinit {
    for header in unsafe all {
      unsafe free(header.name)
      unsafe free(header.value)
    }
  }
}
