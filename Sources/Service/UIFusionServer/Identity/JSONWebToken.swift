import FoundationEssentials
import FusionStrictJSON
import FusionTLS
import UIFusionKit

/// The claims of a JSON Web Token (RFC 7519) whose signature is one of the keys'.
struct JSONWebToken: Sendable {
  /// The difference of clocks that is allowed for in `nbf` and `iat`.
  private static let leeway: TimeInterval = 30
  private static let registered: Set = [
    "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "name", "roles",
  ]

  private let identity: Identity
  private let issuer: String?
  private let audiences: [String]
  private let begins: Date?
  private let expires: Date

  /// Reads a token; nil unless a key has signed it by its own algorithm, or a claim has another form.
  ///
  /// The algorithm that the token names only selects among the keys: each key is used for its own algorithm, so that no
  /// public key is taken for a secret (RFC 8725 §3.1).
  init?(_ text: String, signedBy keys: [PublicKey]) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), header["crit"] == nil,
      let name = header["alg"]?.string, let algorithm = PublicKey.Algorithm(rawValue: name),
      let signature = Base64URL.decoded(parts[2])
    else { return nil }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    let isSigned = keys.contains { key in
      key.algorithm == algorithm && key.isValid(signature, of: signed)
    }
    guard isSigned, let claims = Self.object(parts[1]), let id = claims["sub"]?.string,
      let expires = Self.date(claims["exp"])
    else { return nil }
    let dates = [claims["nbf"], claims["iat"]].compactMap(\.self)
    let begins = dates.compactMap(Self.date)
    let audiences = claims["aud"].map(Self.texts) ?? []
    let roles = claims["roles"].map(Self.texts) ?? []
    guard begins.count == dates.count, let audiences, let roles,
      claims["iss"].map({ $0.string != nil }) != false
    else { return nil }
    self.expires = expires
    self.begins = begins.max()
    self.audiences = audiences
    issuer = claims["iss"]?.string
    var others: [String: String] = [:]
    for member in claims.members where !Self.registered.contains(member.name) {
      others[member.name] = member.value.string
    }
    identity = Identity(
      id: id,
      name: claims["name"]?.string,
      roles: Set(roles),
      claims: others,
      expires: expires
    )
  }

  /// Returns the identity of a token that is valid at a time, from the issuer, if one is given, and for the audience.
  ///
  /// Without an audience, a token that names any is refused (RFC 7519 §4.1.3).
  func identity(at date: Date, from issuer: String?, for audience: String?) -> Identity? {
    guard expires > date, begins.map({ $0 <= date.addingTimeInterval(Self.leeway) }) != false,
      issuer.map({ Self.areEqual($0, self.issuer) }) != false
    else { return nil }
    guard let audience else { return audiences.isEmpty ? identity : nil }
    return audiences.contains { Self.areEqual($0, audience) } ? identity : nil
  }

  private static func object(_ part: Substring) -> JSONValue? {
    guard let bytes = Base64URL.decoded(part), let root = try? JSONDocument(bytes).root,
      root.kind == .object
    else { return nil }
    return root
  }

  private static func date(_ value: JSONValue?) -> Date? {
    (try? value?.decode(Double.self)).flatMap { $0.map { Date(timeIntervalSince1970: $0) } }
  }

  /// Returns a text or a list of texts; nil for anything else.
  private static func texts(_ value: JSONValue) -> [String]? {
    value.string.map { [$0] } ?? (try? value.decode([String].self))
  }

  /// Compares bytes: for `==`, texts that Unicode takes for equivalent are equal.
  private static func areEqual(_ a: String, _ b: String?) -> Bool {
    b.map { $0.utf8.elementsEqual(a.utf8) } ?? false
  }
}

/// The encoding base64url without padding (RFC 4648 §5).
enum Base64URL {
  static func encoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Returns the bytes of a text; nil for any other text.
  static func decoded(_ text: Substring) -> [UInt8]? {
    guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let standard = text.replacing("-", with: "+").replacing("_", with: "/") + padding
    return Data(base64Encoded: String(standard)).map { Array($0) }
  }
}
