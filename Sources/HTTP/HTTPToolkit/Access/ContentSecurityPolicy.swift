/// What the pages of the service may load, and who may show them (Content Security Policy Level 3).
///
/// At first nothing but what comes from the service itself: no other host, no inline script or style.
package struct ContentSecurityPolicy: Sendable {
  private var sources: [String: [String]] = [
    "default-src": ["'self'"], "base-uri": [], "form-action": ["'self'"], "frame-ancestors": [],
  ]

  package init() {}

  /// Sources that a directive has beside what it would have without them.
  package struct Addition: Sendable, Equatable {
    let directive: String
    let sources: [String]

    /// What it has to look like, for a person.
    package static let example =
      "directive with sources such as img-src https://cdn.example.org, none of them unsafe"

    /// Nil where it is no directive with sources, or where they would let in code from inside of pages.
    package init?(_ text: String) {
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let directive = words.first?.lowercased(), words.count > 1,
        directives.contains(directive), words.dropFirst().allSatisfy(isSource)
      else { return nil }
      self.directive = directive
      sources = Array(words.dropFirst())
    }
  }

  /// Adds to what is let in: takes nothing away.
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

  /// Its own, after those of the directive that would stand in for it.
  private func allSources(of directive: String) -> [String] {
    let inherited = fallback(of: directive).map(allSources) ?? []
    return (sources[directive] ?? []).reduce(into: inherited) { sources, source in
      if !sources.contains(source) { sources.append(source) }
    }
  }

  /// What stands in for a directive that is not there (§6.8.3); nil where nothing does.
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

/// Those that list sources, in the order in which the header has them.
private let directives = [
  "default-src", "base-uri", "form-action", "frame-ancestors",
  "child-src", "connect-src", "font-src", "frame-src", "img-src", "manifest-src", "media-src",
  "object-src", "script-src", "script-src-attr", "script-src-elem", "style-src",
  "style-src-attr", "style-src-elem", "worker-src",
]

/// A host, a scheme, 'self' or the digest of a script (§2.3.1).
private func isSource(_ text: String) -> Bool {
  // Without quotes they would be hosts of that name, which nobody means.
  if ["self", "none"].contains(text.lowercased()) { return false }
  let scheme = /[A-Za-z][A-Za-z0-9+.\-]*:/
  let host =
    /(?:[A-Za-z][A-Za-z0-9+.\-]*:\/\/)?(?:\*|(?:\*\.)?[A-Za-z0-9_\-]+(?:\.[A-Za-z0-9_\-]+)*)(?::(?:[0-9]{1,5}|\*))?(?:\/[A-Za-z0-9\-._~%!$&'()*+=:@\/]*)?/
  let quoted = /'self'|'sha(?:256|384|512)-[A-Za-z0-9+\/_\-]+={0,2}'/
  return text.wholeMatch(of: scheme) != nil || text.wholeMatch(of: host) != nil
    || text.wholeMatch(of: quoted) != nil
}
