package import FusionHTTPMessages

/// The table of all problems of a service, assembled at its start from the rows of its parts.
package struct ProblemTable: Sendable {
  /// The rows, sorted by name.
  package let kinds: [ProblemKind]
  private let byName: [String: ProblemKind]

  package init(_ problems: [Problem]) {
    kinds = problems.map(\.kind).sorted { $0.name < $1.name }
    byName = Dictionary(kinds.map { ($0.name, $0) }) { first, _ in first }
  }

  package subscript(name: String) -> ProblemKind? { byName[name] }
}
