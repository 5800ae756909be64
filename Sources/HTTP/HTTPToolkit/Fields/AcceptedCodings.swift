/// The codings that a client takes, by Accept-Encoding (RFC 9110 §12.5.3).
struct AcceptedCodings {
  private var gzip: Double?
  private var identity: Double?
  private var others: Double?

  init(_ text: String?) {
    for member in (text ?? "").lowercased().split(separator: ",") {
      let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      // A weight that is none is read as nothing wanted, which costs bytes and breaks nothing.
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

  /// Whether gzip is accepted, and weighted no lower than no coding.
  var preferGzip: Bool {
    // "*" stands for what is not named; identity, too, but it needs no leave.
    let gzip = gzip ?? others ?? 0
    return gzip > 0 && gzip >= identity ?? 0
  }
}
