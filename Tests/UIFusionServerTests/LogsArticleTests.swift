import Foundation
import FusionRawHTTP
import FusionStrictJSON
import Testing

struct `The article on logs` {
  /// Returns the names of the fields that a section lists.
  private func fields(of section: String) throws -> [String] {
    let article = try projectFile("Sources/Service/UIFusionServer/UIFusionServer.docc/Logs.md")
    let points = article.components(separatedBy: "\n## \(section)\n").last?
      .components(separatedBy: "\n## ").first
    return try #require(points).matches(of: /\n- `(\w+)`:/).map { String($0.output.1) }
  }

  @Test func `lists every field of a request and of an Input, in order`() throws {
    let service = try ServiceProcess(
      "--log",
      "json",
      "--log-level",
      "debug",
      "--auth-header",
      "X-User",
      "--trusted-proxy",
      "127.0.0.1",
      "--allow-host",
      "localhost",
      "--anonymous",
      "on"
    )
    let session = try service.session("counter-sync")
    let client = try service.connect()
    let fields =
      "Content-Type: application/json\r\nX-User: ada\r\ntraceparent: 00-\(trace)-00f067aa0ba902b7-01\r\n"
    client.request("POST \(session)/inputs", fields, body: #""increase""#)
    #expect(try client.response()?.status == 200)
    let lines = try service.stop().log.split(separator: "\n")
      .map { JSONTree(try JSONDocument(Array($0.utf8)).root) }
      .filter { $0["trace"] == .string(trace) }
    #expect(lines.map { $0["message"] } == ["input", "request"])
    for (line, section) in zip(lines, ["An Input", "A request"]) {
      let names = line.members.map(\.name)
      #expect(names.prefix(3) == ["time", "level", "message"])
      #expect(try names.dropFirst(3) == self.fields(of: section)[...], "\(section)")
    }
  }

  private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
}
