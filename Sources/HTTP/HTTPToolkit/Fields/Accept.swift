/// What a client would like to be answered with (RFC 9110 §12.5.1).
struct Accept {
  private struct Range {
    let type: Substring
    let subtype: Substring
    let quality: Double

    /// How closely it names a type; the closest one counts.
    var precision: Int { (type == "*" ? 0 : 1) + (subtype == "*" ? 0 : 1) }
  }

  private let ranges: [Range]

  /// Nil, an empty list and one that cannot be read say that anything will do.
  init(_ field: String?) {
    ranges = (field ?? "").lowercased().split(separator: ",").compactMap { member in
      let parts = member.split(separator: ";").map { $0.trimmingBlanks }
      let names = parts.first?.split(separator: "/", maxSplits: 1) ?? []
      guard names.count == 2 else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
        .flatMap { Double($0.dropFirst(2)) }
      return Range(type: names[0], subtype: names[1], quality: min(max(quality ?? 1, 0), 1))
    }
  }

  /// How welcome a type is, from 0 (not at all) to 1.
  func quality(of mediaType: String) -> Double {
    guard !ranges.isEmpty else { return 1 }
    let names = mediaType.split(separator: "/", maxSplits: 1)
    return ranges.filter { range in
      [names[0], "*"].contains(range.type) && [names[1], "*"].contains(range.subtype)
    }
    .max { $0.precision < $1.precision }?.quality ?? 0
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
