/// Names in one text, as stores keep them: netstrings without the commas, "4:load6:search".
package enum NameList {
  package static func bytes(_ names: [String]) -> [UInt8] {
    names.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
  }

  /// Parses a text; returns nil where it is not a list of names.
  package static func names(_ bytes: [UInt8]) -> [String]? {
    var names: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard
        let colon = rest.firstIndex(of: UInt8(ascii: ":")),
        let count = Int(String(decoding: rest[..<colon], as: UTF8.self)),
        count >= 0, count < rest.endIndex - colon
      else { return nil }
      rest = rest[(colon + 1)...]
      names.append(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    return names
  }
}
