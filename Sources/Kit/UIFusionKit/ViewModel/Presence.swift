/// A view model that is told who is connected to its session.
///
/// ```swift
/// extension Board: PresenceObserving {
///   static func input(for change: PresenceChange) -> Input? { .presence(change) }
/// }
/// ```
///
/// Call ``PresenceChange/update(_:)`` in `perform` to keep a list of visitors in State.
public protocol PresenceObserving: ViewModel {
  /// Returns the Input that tells the session of a change; nil to ignore the change.
  ///
  /// The Input is a turn like any other, without a sender. A visitor whose streams disconnect has five
  /// seconds to return unnoticed. After a restart, and whenever the session wakes, arriving visitors are
  /// reported at once, and after five seconds that everyone else has left. A session that had visitors when
  /// its process ended is woken for that, though nobody comes back. A ``Store`` has no visitors.
  static func input(for change: PresenceChange) -> Input?
}

/// A change of the visitors of a session, for the Input of a ``PresenceObserving`` view model.
///
/// Clients cannot send one: an Input that contains a change is refused.
public struct PresenceChange: Codable, Hashable, Sendable {
  /// The kind of change.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// The visitors have arrived, or have a new role or name.
    case joined
    /// The visitors have been disconnected for five seconds.
    case left
    /// The visitors are connected, and everyone else has left.
    ///
    /// Sent after a restart, whenever the session wakes, and after a change whose turn was rolled back.
    case remained
  }

  /// The kind of change.
  public let kind: Kind
  /// The visitors, in order of arrival.
  public let visitors: [Visitor]

  /// Creates a change, for tests.
  public init(_ kind: Kind, _ visitors: [Visitor]) {
    self.kind = kind
    self.visitors = visitors
  }

  /// Decodes a stored change.
  ///
  /// - Throws: for a client's Input, always.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard !Self.isRefused else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "the service sends it, and no client may"
        )
      )
    }
    kind = try container.decode(Kind.self, forKey: .kind)
    visitors = try container.decode([Visitor].self, forKey: .visitors)
  }

  private enum CodingKeys: CodingKey {
    case kind, visitors
  }

  /// Whether a client's Input is being decoded.
  @TaskLocal package static var isRefused = false

  /// Updates a list of the visitors who are connected.
  public func update(_ present: inout [Visitor]) {
    let ids = Set(visitors.map { ByteString($0.id) })
    switch kind {
    case .left: present.removeAll { ids.contains(ByteString($0.id)) }
    case .remained: present.removeAll { !ids.contains(ByteString($0.id)) }
    case .joined: break
    }
    guard kind != .left else { return }
    for visitor in visitors {
      if let place = present.firstIndex(where: { $0.id.hasSameBytes(as: visitor.id) }) {
        present[place] = visitor
      } else {
        present.append(visitor)
      }
    }
  }
}

/// A visitor of a session: someone who has an open stream of it, or had one a few seconds ago.
///
/// A person with an identity is one visitor, with any number of windows and on any number of nodes. Anonymous
/// people are told apart by their share links; all who use the session's own id are one visitor. Ids and names are
/// compared by their bytes.
public struct Visitor: Codable, Hashable, Sendable, Identifiable {
  /// The role of a visitor in the session, from the least powerful to the most.
  public enum Role: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// Sees State only.
    case observer
    /// Sees State and sends Inputs.
    case driver
    /// Uses the session by its own id, without restrictions.
    case owner

    /// Returns whether the first role is less powerful than the second.
    public static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The id: the identity's, or a text that stands for the share or the session.
  public let id: String
  /// The id of the identity; nil for an anonymous visitor.
  public let identity: String?
  /// The display name; nil if unknown.
  public let name: String?
  /// The most powerful of the visitor's roles.
  public let role: Role

  /// Creates a visitor.
  public init(id: String, identity: String? = nil, name: String? = nil, role: Role = .owner) {
    self.id = id
    self.identity = identity
    self.name = name
    self.role = role
  }

  /// Returns whether two visitors are the same in all members.
  public static func == (a: Visitor, b: Visitor) -> Bool {
    let (one, other) = ([a.id, a.identity, a.name], [b.id, b.identity, b.name])
    return a.role == b.role
      && one.map { $0.map(ByteString.init) } == other.map { $0.map(ByteString.init) }
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(ByteString(id)) }

  /// Returns the same visitor in another role.
  package func with(_ role: Role) -> Visitor {
    Visitor(id: id, identity: identity, name: name, role: role)
  }
}
