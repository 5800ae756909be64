import FusionHTTPMessages
import FusionSessions

/// The form of a resource's path: `/sessions/{id}/events`.
///
/// `{id}` stands for a session's id, any other name in braces for any one segment; a path ends in `*`
/// where it stands for all that no other pattern fits. The text is what the log and OpenAPI say.
struct PathPattern: Sendable {
  private enum Segment {
    case literal(String)
    case session
    case name
  }

  let text: String
  private let segments: [Segment]

  init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/").map { part in
      if part == "{id}" { return .session }
      return part.hasPrefix("{") ? .name : .literal(String(part))
    }
  }

  /// The path as OpenAPI writes it, which cannot say that it stands for many.
  var openAPIPath: String { isRest ? String(text.dropLast()) : text }

  /// How many segments a path has that fits.
  var count: Int { segments.count }

  /// Whether it stands for all that no other pattern fits.
  var isRest: Bool { text.hasSuffix("*") }

  /// What stands in the path for the pattern's one parameter; nil where the path does not fit.
  func match(_ path: [String]) -> PathParameter? {
    guard path.count == segments.count else { return nil }
    var parameter = PathParameter.none
    for index in segments.indices {
      switch segments[index] {
      case .literal(let text): if path[index] != text { return nil }
      case .session: parameter = .session(SessionID(path[index]))
      case .name: parameter = .name(path[index])
      }
    }
    return parameter
  }
}

/// What a path names beside the kind of resource.
enum PathParameter: Sendable {
  case none
  /// Nil where the segment can be no session's id.
  case session(SessionID?)
  case name(String)

  /// The session that the path names, if it names one.
  var session: SessionID? {
    if case .session(let id) = self { id } else { nil }
  }

  /// The same, where it has to name one.
  func sessionID() throws(Problem) -> SessionID {
    guard case .session(let id?) = self else { throw .unknownSession }
    return id
  }

  /// The name in the path.
  func nameInPath() throws(Problem) -> String {
    guard case .name(let name) = self else { throw .notFound }
    return name
  }
}
