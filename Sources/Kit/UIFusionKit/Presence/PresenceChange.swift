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
    /// After a restart: the visitors are there, and everybody else has left.
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
