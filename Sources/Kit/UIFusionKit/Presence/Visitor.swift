/// Somebody who follows a session: a stream of the session is open, or was a few seconds ago.
///
/// A person with an identity is one visitor, in however many windows and on however many nodes. People without one
/// are told apart by the share that they hold; all who have the session's own id are one visitor.
public struct Visitor: Codable, Hashable, Sendable, Identifiable {
  /// The part that a visitor may take in the session, the least first.
  public enum Role: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// Sees State.
    case observer
    /// Sends Inputs, too.
    case driver
    /// Uses the session by its own id, and may do all.
    case owner

    /// Returns whether one role may do less than another.
    public static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The id: that of the identity, or else a text that stands for the share or the session.
  public let id: String
  /// The id of the identity; nil where nobody has said who it is.
  public let identity: String?
  /// The name for people to read, as far as it is known.
  public let name: String?
  /// The greatest of the roles in which the visitor is there.
  public let role: Role

  /// Makes a visitor.
  public init(id: String, identity: String? = nil, name: String? = nil, role: Role = .owner) {
    self.id = id
    self.identity = identity
    self.name = name
    self.role = role
  }

  /// Returns the same visitor in another role.
  package func with(_ role: Role) -> Visitor {
    Visitor(id: id, identity: identity, name: name, role: role)
  }
}
