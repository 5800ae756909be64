import FusionHTTPMessages
import FusionKeyedDigest
import FusionSessions
import UIFusionKit

extension SessionResources {
  /// Returns a source that reports the visitor to its view model, if the view model observes visitors.
  func visited(
    _ source: any StreamSource,
    by sender: RequestSender?,
    with share: StoredShare? = nil
  ) -> any StreamSource {
    guard source.isToldOfVisitors else { return source }
    let identity = sender?.identity
    let shown = share?.id.description ?? source.id.description
    let visitor = Visitor(
      id: identity ?? opaqueText(for: "visitor \(shown)"),
      identity: identity,
      name: sender?.name.map(shortened),
      role: share?.role.visitorRole ?? .owner
    )
    return VisitedSource(source, visitor)
  }

  /// Returns a text that identifies another one without revealing it, such as a session's id; the same on
  /// every node.
  func opaqueText(for text: String) -> String {
    let digest = bodyDigest.digest(of: Array(text.utf8))
    return digest.prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Returns the part of a name that is sent to other nodes: at most 255 bytes.
private func shortened(_ name: String) -> String {
  var name = Substring(name)
  while name.utf8.count > 255 { name.removeLast() }
  return String(name)
}

extension ShareRole {
  fileprivate var visitorRole: Visitor.Role {
    switch self {
    case .observer: .observer
    case .driver: .driver
    }
  }
}
