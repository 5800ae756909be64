#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The identity of a sender of requests: a person, or a program.
///
/// A session belongs to the identity that creates it, and is unknown to others. Name, roles and claims have at most 8 KB
/// together, without zero bytes: nodes tell them to each other with each request.
public struct Identity: Sendable, Equatable {
  /// The id, which stays the same: 1 to 255 bytes without control characters, compared by its bytes.
  public var id: String
  /// The name for people to read.
  public var name: String?
  /// The roles, for the rules of view models and for routes to check.
  public var roles: Set<String>
  /// Other attributes.
  public var claims: [String: String]
  /// The time at which the identity expires; nil for never.
  public var expires: Date?

  /// Makes an identity.
  public init(
    id: String,
    name: String? = nil,
    roles: Set<String> = [],
    claims: [String: String] = [:],
    expires: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.roles = roles
    self.claims = claims
    self.expires = expires
  }

  /// Returns whether two identities are the same in all members; texts compare by their bytes.
  public static func == (a: Identity, b: Identity) -> Bool {
    a.id.hasSameBytes(as: b.id) && a.name.map(ByteString.init) == b.name.map(ByteString.init)
      && Set(a.roles.map(ByteString.init)) == Set(b.roles.map(ByteString.init))
      && bytes(of: a.claims) == bytes(of: b.claims) && a.expires == b.expires
  }

  private static func bytes(of claims: [String: String]) -> [ByteString: ByteString] {
    Dictionary(uniqueKeysWithValues: claims.map { (ByteString($0), ByteString($1)) })
  }
}
