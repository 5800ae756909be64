import Foundation
import FusionGzip
import FusionWebClient
import Testing

struct `The client for browsers` {
  private let text = String(decoding: WebClient.module, as: UTF8.self)
  private let more = String(decoding: WebClient.moreModule, as: UTF8.self)
  private let gestures = String(decoding: WebClient.gesturesModule, as: UTF8.self)
  private let login = String(decoding: WebClient.loginModule, as: UTF8.self)
  private let console = String(decoding: WebClient.consoleModule, as: UTF8.self)

  @Test func `imports nothing but its second module`() throws {
    #expect(imports(of: text).isEmpty)
    let asked = text.matches(of: #/\bimport\s*\(.*?\.js/#).map { String($0.output) }
    #expect(asked.count == 1 && asked.allSatisfy { $0.hasSuffix("uifusion-more.js") })
  }

  @Test func `does not import itself in its second module, but in the console`() {
    #expect(imports(of: more).isEmpty)
    #expect(imports(of: console) == ["../uifusion.js"])
    #expect(
      more.matches(of: #/\bimport\s*\(/#).count == 1 && more.contains("uifusion-login.js?v=")
    )
    #expect(imports(of: login).isEmpty)
    #expect([login, console].allSatisfy { $0.firstMatch(of: #/\bimport\s*\(/#) == nil })
  }

  @Test func `imports nothing in its gestures, which work with any build`() {
    #expect(gestures.firstMatch(of: #/\b(import|export)\b/#) == nil)
  }

  @Test func `never runs text as code`() {
    let pattern = #/\beval\b|\bFunction\(|innerHTML|insertAdjacentHTML/#
    #expect(
      [text, more, gestures, login, console].allSatisfy { $0.firstMatch(of: pattern) == nil }
    )
  }

  @Test func `exports exactly its declarations`() throws {
    let list = try #require(text.firstMatch(of: #/\bexport\s*\{([^}]*)\};?\s*$/#)).output.1
    let exported = list.split(separator: ",").compactMap { $0.split(separator: " ").last }
    let declarations = String(decoding: WebClient.declarations, as: UTF8.self)
    let declared = declarations.matches(of: #/(?m)^export (?:function|const|class) (\w+)/#)
      .map(\.output.1)
    #expect(Set(exported) == Set(declared) && declared.contains("session"))
  }

  @Test func `has one build number in both modules`() {
    #expect(WebClient.build.wholeMatch(of: #/[0-9a-f]{12}/#) != nil)
    #expect([text, more].allSatisfy { $0.contains("\"\(WebClient.build)\"") })
  }

  @Test func `loads its second module at once for the same markup as the service`() throws {
    let starts = ["data-": "data-", #"\| ?"#: "| ", " type=.": " type=\""]
    let named = text.matches(of: #/(data-|\\\| \?| type=\.)\(([a-z|-]+)\)/#)
    let marks = named.map { mark in
      (starts[String(mark.output.1)] ?? "", mark.output.2.split(separator: "|").map(String.init))
    }
    #expect(Dictionary(uniqueKeysWithValues: marks) == WebClient.marksOfMore)
  }

  @Test func `stays below its size limits`() throws {
    #expect(try #require(gzipped(WebClient.module)).count <= 20_050)
    #expect(try #require(gzipped(WebClient.moreModule)).count <= 16_200)
    #expect(try #require(gzipped(WebClient.gesturesModule)).count <= 2_670)
    #expect(try #require(gzipped(WebClient.loginModule)).count <= 2_980)
    #expect(try #require(gzipped(WebClient.consoleModule)).count <= 10_550)
  }

  private func imports(of module: String) -> [Substring] {
    module.matches(of: #/\b(?:from|import)\s*["'](.*?)["']/#).map(\.output.1)
  }
}
