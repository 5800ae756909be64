extension JSONValue {
  /// How many values and names it is made of, itself included.
  ///
  /// Its text has as many bytes at least.
  package var nodeCount: Int { document.indexAfter(index) - index }

  /// Appends the value's text, without spaces; numbers keep the digits that they came with.
  package func write(to bytes: inout [UInt8]) {
    switch kind {
    case .null: bytes += "null".utf8
    case .bool: bytes.appendBool(node.flag)
    case .number: bytes += document.bytes[node.textRange]
    case .string: bytes.appendLiteral(document.text(of: index))
    case .array:
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object:
      bytes.append(UInt8(ascii: "{"))
      for (place, member) in members.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendLiteral(member.name)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
