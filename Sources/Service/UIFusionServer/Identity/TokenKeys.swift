import FoundationEssentials
import FusionCommandLine
import FusionKeyedDigest
import FusionTLS
import Synchronization
import UIFusionKit

/// The public keys that verify JSON Web Tokens, from a file that is read again when it changes.
struct TokenKeys: Sendable {
  /// The keys of one reading, and the tokens that they have verified, by their digests.
  final class Contents: Sendable {
    /// The most tokens that are kept: verifying one takes some 0.1 ms.
    private static let mostTokens = 1_024
    /// The most bytes of a token that is kept.
    private static let mostBytes = 4_096

    let keys: [PublicKey]
    private let verified = Mutex<[[UInt8]: JSONWebToken]>([:])

    init(_ keys: [PublicKey]) {
      self.keys = keys
    }

    func token(_ text: String) -> JSONWebToken? {
      guard text.utf8.count <= Self.mostBytes else { return JSONWebToken(text, signedBy: keys) }
      let digest = KeyedDigest.hash(Array(text.utf8))
      if let known = verified.withLock({ $0[digest] }) { return known }
      guard let token = JSONWebToken(text, signedBy: keys) else { return nil }
      verified.withLock { verified in
        if verified.count >= Self.mostTokens {
          for old in Array(verified.keys.prefix(Self.mostTokens / 2)) { verified[old] = nil }
        }
        verified[digest] = token
      }
      return token
    }
  }

  let file: ReloadedFile<Contents>
  private let issuer: String?
  private let audience: String?

  /// Reads the file: public keys in PEM, one after another.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - issuer: the one issuer whose tokens are believed; nil for any.
  ///   - audience: the name by which tokens are for this service; nil if they must not name any audience.
  ///   - log: the log.
  /// - Throws: what is wrong with the file.
  init(_ path: String, issuer: String?, audience: String?, _ log: Log) throws(CommandError) {
    (self.issuer, self.audience) = (issuer, audience)
    file = try ReloadedFile(path, "keys of JSON Web Tokens", log) {
      bytes,
      report throws(CommandError) in
      let keys = try Self.keys(in: bytes, of: path, report)
      log.info("keys of JSON Web Tokens read", ("file", path), ("keys", "\(keys.count)"))
      return Contents(keys)
    }
  }

  /// Returns the identity that a token stands for at a time; nil if there is none.
  func identity(of token: String?, at date: Date) -> Identity? {
    guard let token else { return nil }
    return file.contents.token(token)?.identity(at: date, from: issuer, for: audience)
  }

  private static let expectation = "PEM public keys (BEGIN PUBLIC KEY), not a JWKS, belong there"
  /// The commands that make public keys of other common formats.
  private static let conversion: [Substring: String] = [
    "-----BEGIN CERTIFICATE-----": "convert it with openssl x509 -pubkey -noout",
    "-----BEGIN RSA PUBLIC KEY-----": "convert it with openssl rsa -RSAPublicKey_in -pubout",
  ]

  private static func keys(
    in bytes: [UInt8],
    of path: String,
    _ report: ReloadedFile<Contents>.Report
  ) throws(CommandError) -> [PublicKey] {
    let begin = "-----BEGIN PUBLIC KEY-----"
    let end = "-----END PUBLIC KEY-----"
    var keys: [PublicKey] = []
    var block: [Substring]?
    var (number, start) = (0, 0)
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    func isCut(_ end: Int) throws(CommandError) {
      guard block != nil else { return }
      let text = "no keys in \(path), lines \(start) to \(end): \(Self.expectation)"
      try report(CommandError(text))
    }
    for (place, line) in lines.enumerated() where !line.isEmpty {
      if line == begin {
        try isCut(place)
        (block, number, start) = ([], number + 1, place + 1)
      } else if line == end, let lines = block {
        let text = ([Substring(begin)] + lines + [Substring(end), ""]).joined(separator: "\n")
        block = nil
        guard let key = PublicKey(pem: Array(text.utf8)) else {
          try report(
            CommandError(
              "key \(number) of \(path), at line \(start), is none for RS256 (from 2,048 bits), ES256 or EdDSA"
            )
          )
          continue
        }
        keys.append(key)
      } else if line.hasPrefix("-----BEGIN ") {
        let text = Self.conversion[line] ?? Self.expectation
        try report(CommandError("line \(place + 1) of \(path) has \(line): \(text)"))
      } else {
        block?.append(line)
      }
    }
    try isCut(lines.count)
    if keys.isEmpty { try report(CommandError("no keys in \(path): \(Self.expectation)")) }
    return keys
  }
}
