import FoundationEssentials
import FusionCommandLine
import UIFusionKit
import UIFusionServer

/// Makes a token: its line for the file of `--auth-tokens` on standard output, the token itself on standard error.
struct TokenCommand: Command {
  static let name = "token"
  static let summary = "make a token, and its line for --auth-tokens"
  static var flags: [Flag<Self>] {
    [
      Flag("id", "ID", "id of the identity that it stands for", \.id),
      Flag("name", "NAME", "name of the identity, for people", \.fullName),
      Flag(
        "role",
        "ROLE",
        "role of the identity; repeatable",
        \.roles,
        defaultValue: "none",
        example: "a role such as admin"
      ) { $0.isEmpty ? nil : $0 },
      Flag("days", "N", "days until it expires", \.days, 1...36_500),
    ]
  }

  var id: String?
  var fullName: String?
  var roles: [String] = []
  var days: Int?

  func validate() throws(UsageError) {
    if id == nil { throw UsageError("--id is missing: say whom the token stands for") }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let (token, line) = TokenLine.new(
      id: id ?? "",
      name: fullName,
      roles: roles,
      expires: days.map { dependencies.now.addingTimeInterval(86_400 * Double($0)) }
    )
    try Files.write(line + [UInt8(ascii: "\n")])
    writeToStandardError(Array("\(token)\n".utf8))
    return 0
  }
}
