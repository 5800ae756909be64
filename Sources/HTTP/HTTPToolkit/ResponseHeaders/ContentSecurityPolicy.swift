/// The sources that the service's pages may load from, and the sites that may embed them (Content Security
/// Policy Level 3).
///
/// A new policy allows only the service itself: no other host, no inline script or style.
package struct ContentSecurityPolicy: Sendable {
  private var sources: [String: [String]] = [
    "default-src": ["'self'"], "base-uri": [], "form-action": ["'self'"], "frame-ancestors": [],
  ]

  package init() {}

  /// Sources to add to those of a directive.
  package struct Addition: Sendable, Equatable {
    let directive: String
    let sources: [String]

    /// The expected form, for error messages.
    package static let example =
      "directive with sources such as img-src https://cdn.example.org, none of them unsafe"

    /// Returns nil if the text is not a directive with sources, or if a source would allow inline code.
    package init?(_ text: String) {
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let directive = words.first?.lowercased(), words.count > 1,
        directives.contains(directive), words.dropFirst().allSatisfy(isSource)
      else { return nil }
      self.directive = directive
      sources = Array(words.dropFirst())
    }
  }

  /// Adds sources to a directive.
  package mutating func add(_ addition: Addition) {
    sources[addition.directive, default: []] += addition.sources
  }

  /// The header's value.
  package var text: String {
    directives.filter { sources[$0] != nil }
      .map { directive in
        let sources = allSources(of: directive)
        return "\(directive) \(sources.isEmpty ? "'none'" : sources.joined(separator: " "))"
      }
      .joined(separator: "; ")
  }

  /// Returns the directive's own sources, after those of its fallback directive.
  private func allSources(of directive: String) -> [String] {
    let inherited = fallback(of: directive).map(allSources) ?? []
    return (sources[directive] ?? []).reduce(into: inherited) { sources, source in
      if !sources.contains(source) { sources.append(source) }
    }
  }

  /// Returns the directive that applies if another is absent (§6.8.3); nil if none does.
  private func fallback(of directive: String) -> String? {
    switch directive {
    case "default-src", "base-uri", "form-action", "frame-ancestors": nil
    case "script-src-attr", "script-src-elem": "script-src"
    case "style-src-attr", "style-src-elem": "style-src"
    case "frame-src": "child-src"
    case "worker-src": sources["child-src"] == nil ? "script-src" : "child-src"
    default: "default-src"
    }
  }
}

/// The directives that list sources, in the header's order.
private let directives = [
  "default-src", "base-uri", "form-action", "frame-ancestors",
  "child-src", "connect-src", "font-src", "frame-src", "img-src", "manifest-src", "media-src",
  "object-src", "script-src", "script-src-attr", "script-src-elem", "style-src",
  "style-src-attr", "style-src-elem", "worker-src",
]

/// Returns whether a text is a host, a scheme, 'self' or the digest of a script (§2.3.1).
private func isSource(_ text: String) -> Bool {
  // Without quotes these would be hosts, which is never intended.
  if ["self", "none"].contains(text.lowercased()) { return false }
  let scheme = /[A-Za-z][A-Za-z0-9+.\-]*:/
  let host =
    /(?:[A-Za-z][A-Za-z0-9+.\-]*:\/\/)?(?:\*|(?:\*\.)?[A-Za-z0-9_\-]+(?:\.[A-Za-z0-9_\-]+)*)(?::(?:[0-9]{1,5}|\*))?(?:\/[A-Za-z0-9\-._~%!$&'()*+=:@\/]*)?/
  let quoted = /'self'|'sha(?:256|384|512)-[A-Za-z0-9+\/_\-]+={0,2}'/
  return text.wholeMatch(of: scheme) != nil || text.wholeMatch(of: host) != nil
    || text.wholeMatch(of: quoted) != nil
}
