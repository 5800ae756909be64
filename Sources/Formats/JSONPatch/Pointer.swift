/// Where a value stands within another (RFC 6901): a `/` and a name or index for each step.
struct Pointer {
  private(set) var text = ""

  /// How many steps it has.
  var depth: Int { text.utf8.count { $0 == UInt8(ascii: "/") } }

  /// The element of an array.
  func element(_ index: Int) -> Pointer { Pointer(text: "\(text)/\(index)") }

  /// The member of an object.
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
}
