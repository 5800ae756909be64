/// A view model that is told who follows its session.
///
/// ```swift
/// extension Board: PresenceObserving {
///   static func input(for change: PresenceChange) -> Input? { .presence(change) }
/// }
/// ```
///
/// In `perform`, ``PresenceChange/update(_:)`` keeps a list in State.
public protocol PresenceObserving: ViewModel {
  /// Returns the Input by which a session is told of a change; nil for none.
  ///
  /// The Input is a turn as any other, without a sender. A visitor whose streams break off has five seconds to come
  /// back unnoticed. After a restart, and whenever the session wakes, those who come are told at once, and after five
  /// seconds that everybody else has left. A ``Store`` has no visitors.
  static func input(for change: PresenceChange) -> Input?
}

/// A change of who is there, in the Input that a ``PresenceObserving`` view model makes of it.
///
/// No client can send one: an Input that holds a change is refused.
public struct PresenceChange: Codable, Hashable, Sendable {
  /// The kind of change.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// The visitors have come, or have another role or name now.
    case joined
    /// The visitors have been away for five seconds.
    case left
    /// The visitors are there, and everybody else has left.
    ///
    /// Told after a restart, whenever the session wakes, and after a change whose turn was rolled back.
    case remained
  }

  /// The kind of change.
  public let kind: Kind
  /// The visitors, in the order in which they came.
  public let visitors: [Visitor]

  /// Makes a change, for tests.
  public init(_ kind: Kind, _ visitors: [Visitor]) {
    self.kind = kind
    self.visitors = visitors
  }

  /// Reads a change that was stored.
  ///
  /// - Throws: for a client's Input, always.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard !Self.isRefused else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "only the service says who is there"
        )
      )
    }
    kind = try container.decode(Kind.self, forKey: .kind)
    visitors = try container.decode([Visitor].self, forKey: .visitors)
  }

  private enum CodingKeys: CodingKey {
    case kind, visitors
  }

  /// Whether a client's Input is being read.
  @TaskLocal package static var isRefused = false

  /// Brings a list of those who are there up to date.
  public func update(_ present: inout [Visitor]) {
    let ids = Set(visitors.map(\.id))
    switch kind {
    case .left: present.removeAll { ids.contains($0.id) }
    case .remained: present.removeAll { !ids.contains($0.id) }
    case .joined: break
    }
    guard kind != .left else { return }
    for visitor in visitors {
      if let place = present.firstIndex(where: { $0.id == visitor.id }) {
        present[place] = visitor
      } else {
        present.append(visitor)
      }
    }
  }
}

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
