import Glibc

/// The reason why a server cannot start listening; `description` says what to do about it.
package struct StartError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    /// Another socket listens there (EADDRINUSE).
    case portTaken
    /// The host is neither an IP address nor "localhost".
    case addressNotValid
    /// No interface of this machine has that address (EADDRNOTAVAIL, EAFNOSUPPORT).
    case addressNotLocal
    /// A port outside 0...65,535.
    case portNotValid
    /// The port needs rights that this process does not have (EACCES, EPERM).
    case permission
    /// The certificate or its key is damaged, or the two do not belong together.
    case identityNotValid
    /// Anything else, in words.
    case other(String)
  }

  package let reason: Reason
  /// The requested address: `host:port`, `unix:path` or a descriptor.
  package let address: String

  package var description: String {
    switch reason {
    case .portTaken:
      "\(address) is taken: another process listens there. Stop it, or choose another port."
    case .addressNotValid:
      "\(address) is not an address to listen on. "
        + "Give an IPv4 or IPv6 address such as 127.0.0.1 or ::1, or localhost."
    case .addressNotLocal:
      "\(address) is not an address of this machine. Give one of its own, such as 127.0.0.1."
    case .portNotValid:
      "\(address) has no valid port. Give a number from 0 to 65535; 0 picks a free one."
    case .permission:
      "\(address) may not be listened on by this user. Choose a port above 1023."
    case .identityNotValid:
      "\(address) cannot speak TLS: the certificate and its key are damaged or do not match."
    case .other(let text):
      "\(address) cannot be listened on: \(text)."
    }
  }

  init(_ reason: Reason, _ address: String) {
    self.reason = reason
    self.address = address
  }

  init(errno number: Int32, _ address: String) {
    self.init(Reason(errno: number), address)
  }
}

extension StartError.Reason {
  init(errno number: Int32) {
    self =
      switch number {
      case EADDRINUSE: .portTaken
      case EADDRNOTAVAIL, EAFNOSUPPORT: .addressNotLocal
      case EACCES, EPERM: .permission
      default: .other(errorText(number))
      }
  }
}

private func errorText(_ number: Int32) -> String {
  var text = [CChar](repeating: 0, count: 128)
  guard unsafe strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
