import FusionHTTPMessages

/// The media types that a client prefers (RFC 9110 §12.5.1).
package struct Accept {
  private struct Range {
    let type: Substring
    let subtype: Substring
    let quality: Double

    /// The precision of the range; the most precise range decides.
    var precision: Int { (type == "*" ? 0 : 1) + (subtype == "*" ? 0 : 1) }
  }

  private let ranges: [Range]

  /// Parses a field; nil, an empty list and an invalid one accept everything.
  package init(_ field: String?) {
    ranges = ListElements((field ?? "").lowercased()).compactMap { member in
      let parts = member.split(separator: ";").map(\.trimmingBlanks)
      let names = parts.first?.split(separator: "/", maxSplits: 1) ?? []
      guard names.count == 2 else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
        .flatMap { Double($0.dropFirst(2)) }
      return Range(type: names[0], subtype: names[1], quality: min(max(quality ?? 1, 0), 1))
    }
  }

  /// Returns the weight that a client gives a type, from 0 (not acceptable) to 1.
  package func quality(of mediaType: String) -> Double {
    guard !ranges.isEmpty else { return 1 }
    let names = mediaType.split(separator: "/", maxSplits: 1)
    return ranges.filter { range in
      [names[0], "*"].contains(range.type) && [names[1], "*"].contains(range.subtype)
    }
    .max { $0.precision < $1.precision }?.quality ?? 0
  }

  /// Returns whether the client prefers HTML to this media type, like a browser that opens an address.
  package func prefersHTML(to mediaType: String) -> Bool {
    quality(of: "text/html") > quality(of: mediaType)
  }
}

/// The codings that a client accepts, by `Accept-Encoding` (RFC 9110 §12.5.3).
package struct AcceptedCodings {
  private var gzip: Double?
  private var identity: Double?
  private var others: Double?

  package init(_ text: String?) {
    for member in ListElements((text ?? "").lowercased()) {
      let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      // A malformed weight counts as 0, which only costs bytes.
      let weight =
        parts.dropFirst().first { $0.hasPrefix("q=") }
        .map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      switch parts.first {
      case "gzip", "x-gzip": gzip = weight
      case "identity": identity = weight
      case "*": others = weight
      default: break
      }
    }
  }

  /// Whether gzip is accepted with at least the weight of no coding.
  package var preferGzip: Bool {
    // "*" stands for every coding that is not named.
    let gzip = gzip ?? others ?? 0
    return gzip > 0 && gzip >= identity ?? 0
  }
}
