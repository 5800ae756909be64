import FusionHTTPMessages
import FusionKeyedDigest
import FusionSessions
import UIFusionKit

extension Visitor {
  /// Creates the visitor that the holder of a claim is: an anonymous one without anything that identifies the client.
  init(_ claim: Claim, _ digest: KeyedDigest) {
    let identity = claim.sender?.identity
    self.init(
      id: identity ?? digest.opaqueText(for: "visitor \(claim.shownID)"),
      identity: identity,
      name: claim.sender?.name.map(shortened),
      role: claim.share?.role.visitorRole ?? .owner
    )
  }
}

extension KeyedDigest {
  /// Returns a text that identifies another one without revealing it, such as a session's id; the same on
  /// every node.
  func opaqueText(for text: String) -> String {
    let digest = digest(of: Array(text.utf8))
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
