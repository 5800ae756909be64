import Glibc

/// The reason why a server cannot start listening; `description` tells how to fix it.
package struct StartError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String
  /// Whether the certificate or its key is damaged, or the two do not match.
  package let isOfIdentity: Bool

  /// Creates an error about an address: `host:port`, `unix:path` or a descriptor.
  init(_ address: String, _ text: String, isOfIdentity: Bool = false) {
    description = "\(address) \(text)."
    self.isOfIdentity = isOfIdentity
  }

  init(_ address: String, errno number: Int32) {
    let text =
      switch number {
      case EADDRINUSE: "is taken: another process listens there. Stop it, or choose another port"
      case EADDRNOTAVAIL, EAFNOSUPPORT:
        "is not an address of this machine. Give one of its own, such as 127.0.0.1"
      case EACCES, EPERM: "may not be listened on by this user. Choose a port above 1023"
      default: "cannot be listened on: \(errorText(number))"
      }
    self.init(address, text)
  }
}

private func errorText(_ number: Int32) -> String {
  var text = [CChar](repeating: 0, count: 128)
  guard unsafe strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
