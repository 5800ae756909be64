extension RequestTarget {
  /// As it is sent, in origin form: every character escaped that may mean something (RFC 3986 §2.3).
  ///
  /// What is read from this text is equal to this target.
  package var text: String {
    if isAsterisk { return "*" }
    var text: [UInt8] = []
    for segment in segments {
      text.append(UInt8(ascii: "/"))
      appendEscaped(segment, to: &text)
    }
    if segments.isEmpty { text.append(UInt8(ascii: "/")) }
    for (index, item) in query.enumerated() {
      text.append(UInt8(ascii: index == 0 ? "?" : "&"))
      appendEscaped(item.name, to: &text)
      text.append(UInt8(ascii: "="))
      appendEscaped(item.value, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

private func appendEscaped(_ part: String, to text: inout [UInt8]) {
  for byte in part.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      text.append(byte)
    default:
      text += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
    }
  }
}

private let hexDigits = Array("0123456789ABCDEF".utf8)
