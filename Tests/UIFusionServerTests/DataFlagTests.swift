import FusionCommandLine
import Testing

@testable import UIFusionServer
@testable import UIFusionTools

/// Texts that name a database, or were meant to.
struct `The flag --data` {
  @Test(
    arguments: [
      "host=localhost password=geheim dbname=x", "password = geheim", "DBNAME=geheim",
      "postgre://user:geheim@host/x", "mysql://user:geheim@host/x", "postgres:/user:geheim@host/x",
      "postgres:user:geheim@host/x", "user:geheim@host/x",
    ]
  )
  func `refuses a text that may contain a password, and does not repeat it`(
    text: String
  ) {
    for command in ["serve", "sessions list", "nodes", "deploy check"] {
      for (arguments, environment) in [(["--data", text], [:]), ([], ["UIFUSION_DATA": text])] {
        let error = complaint(words(command) + arguments, environment)
        #expect(
          error?.contains(" must be postgres://user@host/database, or the path of a folder") == true
        )
        #expect(error?.contains("geheim") == false, "\(error ?? "")")
      }
    }
  }

  @Test(arguments: ["POSTGRES://user@host/x", "PostgreSQL://user@host/x"])
  func `accepts a scheme in capitals`(text: String) throws {
    #expect(try SessionStorage(text) == .postgresql(text))
    #expect(try "\(SessionStorage(text))" == "postgres://user@host/x")
  }

  @Test(arguments: ["Memory", "MEMORY", "memroy", ":memory:", "mem ory", "memory?"])
  func `refuses a misspelt memory instead of making a folder of that name`(text: String) {
    let error = complaint(["serve", "--data", text])
    #expect(
      error
        == "--data must be memory, or the path of a folder, with ./ before such a name, not \(text)"
    )
    #expect(
      complaint(["serve"], ["UIFUSION_DATA": text + "\n"])?.hasPrefix("UIFUSION_DATA ") == true
    )
    #expect(complaint(["sessions", "list", "--data", text]) != nil)
    #expect(complaint(["serve", "--data", "./\(text)"]) == nil)
  }

  @Test(arguments: ["\"/data\"", "'memory'", "\"postgres://user:geheim@host/x\""])
  func `refuses a value in quotation marks`(text: String) {
    for error in [complaint(["--data", text]), complaint(["serve"], ["UIFUSION_DATA": text])] {
      #expect(error?.contains(" must be a value without ") == true)
      #expect(error?.contains("geheim") == false)
    }
  }

  @Test(arguments: ["/srv\n/data", "a\u{1B}[31mb", "postgres://user:geheim@host\r\n/x", "a\u{85}b"])
  func `refuses control characters, and does not repeat them`(text: String) {
    for error in [complaint(["--data", text]), complaint(["serve"], ["UIFUSION_DATA": text])] {
      #expect(error?.contains(" must be one line without control characters") == true)
      #expect(error?.contains("geheim") == false)
      #expect(error?.contains(text) == false)
    }
  }

  @Test(arguments: [
    "./.uifusion", "/srv/a:b@c", "./host=a", "data", "data=1", "C:data", "localhost=1",
  ])
  func `accepts the path of a folder`(path: String) throws {
    #expect(try SessionStorage(path) == .folder(path))
  }

  @Test(
    arguments: [
      "postgres://user:geheim@host/x", "serve postgres://user:geheim@host/x",
      "serve password=geheim", "sessions password=geheim", "sessions list password=geheim",
      "sessions backup --output postgres://user:geheim@host/x",
    ]
  )
  func `may be missing without its error repeating a password`(line: String) {
    let error = complaint(words(line))
    #expect(error != nil)
    #expect(error?.contains("geheim") == false, "\(error ?? "")")
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  private func complaint(_ arguments: [String], _ environment: [String: String] = [:]) -> String? {
    do {
      _ = try CommandParser(.all, program: "shop").command(arguments, environment: environment)
      return nil
    } catch {
      return error.description
    }
  }
}
