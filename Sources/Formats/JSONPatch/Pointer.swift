/// A JSON Pointer (RFC 6901): a `/` and a name or index for each step.
struct Pointer {
  private(set) var text = ""

  /// The number of steps.
  var depth: Int { text.utf8.count { $0 == UInt8(ascii: "/") } }

  /// Returns the pointer to an element of the array here.
  func element(_ index: Int) -> Pointer { Pointer(text: "\(text)/\(index)") }

  /// Returns the pointer to a member of the object here.
  ///
  /// Section 3: `~` is written `~0` and `/` is written `~1`.
  func member(_ name: String) -> Pointer {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return Pointer(text: "\(text)/\(name)")
    }
    var pointer = Pointer(text: text + "/")
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": pointer.text += "~0"
      case "/": pointer.text += "~1"
      default: pointer.text.unicodeScalars.append(scalar)
      }
    }
    return pointer
  }

  /// Splits a pointer's text into its steps, byte by byte.
  ///
  /// Byte by byte, since Swift treats a slash followed by a combining accent as another character.
  static func steps(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst().map(unescaped)
  }

  /// Turns `~1` into `/` and `~0` into `~` (section 4).
  private static func unescaped(_ step: Substring.UTF8View) -> String {
    guard step.contains(UInt8(ascii: "~")) else { return String(Substring(step)) }
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in step {
      switch byte {
      case UInt8(ascii: "0") where isEscape: bytes[bytes.count - 1] = UInt8(ascii: "~")
      case UInt8(ascii: "1") where isEscape: bytes[bytes.count - 1] = UInt8(ascii: "/")
      default:
        bytes.append(byte)
        isEscape = byte == UInt8(ascii: "~")
        continue
      }
      isEscape = false
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
