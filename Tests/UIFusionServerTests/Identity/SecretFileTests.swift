import Foundation
import FusionHTTPMessages
import Testing
import UIFusionKit

@testable import UIFusionServer

/// As editors and shells of other systems write it.
struct `A file of secrets` {
  private let folder = TemporaryFolder()
  private let secret = "0123456789abcdef0123456789abcdef"
  private let log = Log(format: .text, level: .info) { _ in }

  private func file(_ text: String) throws -> String {
    let path = folder.path + "/secret"
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: [
    ("", ""), ("", "\n"), ("", "\r\n"), ("", "\n\n"), ("", " \t\n"), ("\u{FEFF}", ""),
    ("\u{FEFF}", "\r\n"),
    ("\n", ""),
  ])
  func `is read without a byte order mark and white space around a secret`(
    start: String,
    end: String
  )
    throws
  {
    let nodes = try NodeSecretFile(file(start + secret + end))
    #expect(nodes.secret == Array(secret.utf8))
    let ended = EndedLogins(Topics()) { .now }
    let cookies = try LoginCookies(file(start + secret + end + "\n# older keys\n"), ended, log)
    let login = Response.Login.begin(Identity(id: "ada"), .seconds(60))
    let field = try cookies.field(login, for: HTTPRequest(.post, .asterisk), at: .now)
    let plain = try LoginCookies(file(secret), ended, log)
    #expect(plain.identity(of: String(field.prefix { $0 != ";" }), at: .now)?.id == "ada")
    let (token, line) = TokenLine.new(id: "ada", name: nil, roles: [], expires: nil)
    let tokens = try TokenFile(file(start + String(decoding: line, as: UTF8.self) + end), log)
    #expect(tokens.identity(of: token)?.id == "ada")
  }

  @Test func `for nodes is refused if it is short or missing, with what to do`() throws {
    let short = try #require(throws: ServiceError.self) {
      try NodeSecretFile(file("fifteen bytes.."))
    }
    #expect(short.description.hasSuffix("has 15 bytes: write at least 16, by openssl rand -hex 32"))
    let missing = try #require(throws: ServiceError.self) {
      try NodeSecretFile(folder.path + "/absent")
    }
    #expect(missing.description.hasPrefix("--node-secret-file: "))
  }
}
