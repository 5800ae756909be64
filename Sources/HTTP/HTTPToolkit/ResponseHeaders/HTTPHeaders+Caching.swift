package import FusionHTTPMessages

extension HTTPHeaders {
  /// Adds a request header to those on which the response depends (RFC 9110 §12.5.5).
  mutating func addVary(_ name: String) {
    let known =
      list("Vary")?.lowercased().split(separator: ",").map { $0.filter { $0 != " " } } ?? []
    guard !known.contains(name.lowercased()) else { return }
    self["Vary"] = self["Vary"].map { "\($0), \(name)" } ?? name
  }

  /// Keeps the response from caches that several senders share, since it depends on who asks (RFC 9111 §5.2.2.7);
  /// unless it says that it is public.
  package mutating func keepPrivate() {
    for name in ["Authorization", "Cookie"] { addVary(name) }
    let control = self["Cache-Control"] ?? "no-cache"
    let isDecided = ["private", "no-store", "public"].contains { control.lowercased().contains($0) }
    if isDecided { return }
    self["Cache-Control"] = "private, \(control)"
  }
}
