package import FoundationEssentials
import FusionKeyedDigest
import FusionStrictJSON
import UIFusionKit

/// A line of the file of tokens: a token's digest, and the identity that the token stands for.
///
/// The file does not have the token itself.
package struct TokenLine: Sendable {
  let digest: [UInt8]
  let identity: Identity

  /// The reason why a line is not used; it does not repeat the line, which may hold a token.
  struct Fault: Error {
    let text: String
  }

  private struct Members: Decodable {
    let sha256: String
    let id: String
    let name: String?
    let roles: [String]?
    let expires: Date?
  }

  /// Reads a line.
  init(_ text: some Sequence<UInt8>) throws(Fault) {
    guard let root = try? JSONDocument(Array(text)).root else {
      throw Fault(text: "it is no JSON object")
    }
    let members: Members
    do throws(JSONError) {
      members = try root.decode(Members.self)
    } catch {
      throw Fault(text: "it has no sha256 or id, or a member that is wrong")
    }
    guard let digest = Self.bytes(hexadecimal: members.sha256), digest.count == 32 else {
      throw Fault(text: "its sha256 has not 64 hexadecimal digits")
    }
    self.digest = digest
    identity = Identity(
      id: members.id,
      name: members.name,
      roles: Set(members.roles ?? []),
      expires: members.expires
    )
    guard identity.isValid else {
      throw Fault(text: "it breaks the rule that \(Identity.rule)")
    }
  }

  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { place in
      UInt8((digits[place] ?? 0) << 4 | (digits[place + 1] ?? 0))
    }
  }
}

extension TokenLine {
  /// Makes a random token, and its line of the file.
  package static func new(
    id: String,
    name: String?,
    roles: [String],
    expires: Date?
  ) -> (token: String, line: [UInt8]) {
    var generator = SystemRandomNumberGenerator()
    let token = (0..<4).map { _ in hexadecimal(generator.next()) }.joined()
    let digest = KeyedDigest.hash(Array(token.utf8))
    var members: [JSONTree.Member] = [
      .init("sha256", .string(digest.map { hexadecimal($0) }.joined())), .init("id", .string(id)),
    ]
    if let name { members.append(.init("name", .string(name))) }
    if !roles.isEmpty { members.append(.init("roles", .array(roles.map { .string($0) }))) }
    if let expires {
      members.append(.init("expires", .string(expires.formatted(Date.ISO8601FormatStyle()))))
    }
    return (token, JSONTree.object(members).bytes)
  }

  private static func hexadecimal(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: type(of: number).bitWidth / 4 - digits.count) + digits
  }
}
