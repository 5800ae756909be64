extension JSONParser {
  /// Checks `number = [ minus ] int [ frac ] [ exp ]` of section 6.
  ///
  /// Its value is read when a type asks for it, since only that tells how wide it may be.
  mutating func number() throws(JSONError) {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < end, bytes[position] == UInt8(ascii: "0") {
      position += 1
      if position < end, isDigit(bytes[position]) {
        throw fault("a number does not begin with 0", at: start)
      }
    } else {
      try digits()
    }
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < end,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try digits()
    }
    nodes.append(
      JSONNode(
        kind: .number,
        flag: false,
        start: UInt32(start),
        link: UInt32(start),
        count: UInt32(position - start)
      )
    )
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while position < end, isDigit(bytes[position]) { position += 1 }
    guard position == start else { return }
    throw position < end ? fault("expected a digit", at: position) : unexpectedEnd()
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
