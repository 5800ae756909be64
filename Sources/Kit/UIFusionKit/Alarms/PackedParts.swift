/// Byte strings in one, each after its length in four bytes.
enum PackedParts {
  static func bytes(_ parts: [[UInt8]]) -> [UInt8] {
    parts.reduce(into: []) { bytes, part in
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: part.count >> (24 - 8 * $0)) } + part
    }
  }

  /// Returns the parts of a text; nil if it is cut short.
  static func parts(_ bytes: some Collection<UInt8>) -> [[UInt8]]? {
    var (parts, rest): ([[UInt8]], _) = ([], Array(bytes)[...])
    while !rest.isEmpty {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard rest.count >= count else { return nil }
      parts.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return parts
  }
}

extension SessionAddress {
  /// The parts of a stored address: its form and its names.
  var parts: [[UInt8]] {
    let parts =
      switch form {
      case .id(let id): ["i", id, ""]
      case .named(let name, let viewModel, let isShared): [isShared ? "s" : "o", name, viewModel]
      }
    return parts.map { Array($0.utf8) }
  }

  /// Reads an address; nil for a form of a later build.
  init?(parts: [[UInt8]]) {
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 3 else { return nil }
    switch texts[0] {
    case "i": self.init(.id(texts[1]))
    case "o": self.init(.named(texts[1], viewModel: texts[2], isShared: false))
    case "s": self.init(.named(texts[1], viewModel: texts[2], isShared: true))
    default: return nil
    }
  }

  /// Returns addresses in one text, in one order.
  package static func bytes(of addresses: Set<SessionAddress>) -> [UInt8] {
    let all = addresses.map { PackedParts.bytes($0.parts) }
    return PackedParts.bytes(all.sorted { $0.lexicographicallyPrecedes($1) })
  }

  /// Reads addresses, without those of a later build.
  package static func all(in bytes: [UInt8]) -> [SessionAddress] {
    (PackedParts.parts(bytes) ?? []).compactMap { PackedParts.parts($0) }
      .compactMap { SessionAddress(parts: $0) }
  }
}
