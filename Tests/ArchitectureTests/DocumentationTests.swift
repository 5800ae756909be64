import Testing

/// An article goes stale in silence where it names what was renamed or removed.
struct `An article` {
  private let names = DeclaredNames.all

  /// What Swift and its libraries name, HTTP, and browsers.
  private static let standard: Set<String> = [
    "Allow", "AsyncStream", "CancellationError", "CocoaError", "Codable", "ContinuousClock",
    "CustomNSError", "CustomStringConvertible", "Data", "Date", "Decimal", "Decodable",
    "DispatchQueue", "ETag", "Encodable", "Equatable", "Error", "EventSource", "Hashable", "Host",
    "Int",
    "JSONDecoder", "LocalizedError", "Location", "MainActor", "Mutex", "NSError",
    "NonisolatedNonsendingByDefault", "ObservableObject", "Origin", "Referer", "Sendable",
    "SharedWorker", "String",
    "Synchronization", "Task", "Testing", "Timer", "UIButton", "UILabel", "UIStackView",
    "UITextField",
    "UIView", "UIViewController", "URLError", "Void", "XCTestCase",
    "addEventListener", "fatalError",
    "localizedDescription", "viewDidLoad",
  ]

  /// What the originals name from which a reader ports, and a program that he writes.
  private static let reader: Set<String> = [
    ".assign(to:on:)", ".concatenate", "AsyncViewModelProtocol", "Scope",
    "Sources/votes/main.swift", "TestStore",
    "cancelInFlight", "disposeBag", "effectQueue", "ifLet", "initialState", "isProcessingEffects",
  ]

  /// What Apache names, and a range of addresses.
  private static let proxies: Set<String> = [
    "10.0.0.0/8", "MaxRequestWorkers", "ProxyPreserveHost", "ProxyTimeout", "SetOutputFilter",
  ]

  private static let foreign = standard.union(reader).union(proxies)

  @Test func `stands where the tests look for it`() {
    #expect(Article.all.count >= 18)
  }

  @Test(arguments: Article.all)
  func `names only files and folders that are there`(_ article: Article) throws {
    for span in try article.spans where isPath(span) && !Self.foreign.contains(span) {
      #expect(SourceTree.has(span), "\(span)")
    }
  }

  @Test(arguments: Article.all)
  func `names only types that are there, with members that they have`(_ article: Article) throws {
    for span in try article.spans {
      guard let chain = typeChain(span), !Self.foreign.contains(chain[0]) else { continue }
      #expect(isKnown(chain[0]), "\(span)")
      let isWhole = zip(chain, chain.dropFirst()).allSatisfy { names.has($1, in: $0) }
      #expect(isWhole, "\(span)")
    }
  }

  @Test(arguments: Article.all)
  func `names only functions and cases that are there`(_ article: Article) throws {
    for span in try article.spans {
      guard let name = memberName(span) else { continue }
      let isThere = names.members[name] != nil || SourceTree.has(span)
      #expect(isThere || Self.foreign.contains(span), "\(span)")
    }
  }

  @Test(arguments: Article.all)
  func `names only flags and targets of make that are there`(_ article: Article) throws {
    let makefile = try SourceFile(path: "Makefile").lines
    let commands = ["Flag", "Command", "Simulate"]
    let sources = try SourceTree.files.filter { file in commands.contains { file.name.contains($0) }
    }
    .map { try $0.text }
    for span in try article.spans {
      if let target = span.wholeMatch(of: /make (\w+).*/)?.output.1 {
        #expect(makefile.contains { $0.hasPrefix("\(target):") }, "\(span)")
      }
      if let flag = span.wholeMatch(of: /--([\w-]+).*/)?.output.1 {
        let isThere = sources.contains { $0.contains("\"\(flag)\"") || $0.contains("--\(flag)") }
        #expect(isThere, "\(span)")
      }
    }
  }

  @Test(arguments: Article.all)
  func `names only tests that are there, in the files that have them`(_ article: Article) throws {
    for test in try article.tests {
      let files = SourceTree.swiftFiles(in: "Tests").filter { $0.name == test.file }
      let isThere = try files.contains { try $0.text.contains("`\(test.name)`") }
      #expect(isThere, "\"\(test.name)\" (\(test.file))")
    }
  }

  @Test(arguments: Article.all)
  func `leads only through functions that are there, one after another`(_ article: Article) throws {
    let steps = try article.steps
    let numbers = steps.compactMap(\.number)
    #expect(numbers == Array(numbers.indices.map { $0 + 1 }))
    for step in steps where step.files != ["the view model"] {
      let files = SourceTree.swiftFiles(in: "Sources").filter { step.files.contains($0.name) }
      #expect(Set(files.map(\.name)) == Set(step.files), "\(step.call): \(step.files)")
      guard !step.call.hasPrefix("closure"), let name = lastName(step.call) else { continue }
      let isThere = !(names.members[name] ?? []).isDisjoint(with: files.map(\.path))
      #expect(isThere, "\(step.call): \(step.files)")
    }
  }

  // MARK: What a span is

  private func isPath(_ span: String) -> Bool {
    guard span.wholeMatch(of: /\.?[\w+-]+(?:[\/.][\w+.-]+)*/) != nil else { return false }
    if span.hasPrefix(".") { return span.contains("/") }
    let isMediaType = span.hasPrefix("text/") || span.hasPrefix("application/")
    let hasKind = ["swift", "toml", "md", "yml", "html", "js"].contains { span.hasSuffix("." + $0) }
    return !isMediaType && (span.contains("/") || hasKind)
  }

  /// `EffectGraph.BatchID` as its two names; nil where a span is no type.
  private func typeChain(_ span: String) -> [String]? {
    guard span.wholeMatch(of: /[A-Z]\w*[a-z]\w*(?:<\w+>)?(?:\.\w+)*(?:\([\w:]*\))?/) != nil else {
      return nil
    }
    let end = span.firstIndex { $0 == "<" || $0 == "(" } ?? span.endIndex
    guard !span.hasSuffix(".swift") else { return nil }
    return span[..<end].split(separator: ".").map(String.init)
  }

  /// `commit` of `commit(_:of:)`, `endTurn`, or `merge` of `.merge`; nil where a span may be a plain word.
  private func memberName(_ span: String) -> String? {
    let patterns = [
      /([a-z]+[A-Z]\w*)(?:\([\w:]*\))?/, /([a-z]\w*)\([\w:]*:\)/, /\.([a-z]\w*)(?:\([\w:]*\))?/,
    ]
    return patterns.lazy.compactMap { span.wholeMatch(of: $0)?.output.1 }.first.map { String($0) }
  }

  /// A type, a folder, or a file by its name.
  private func isKnown(_ name: String) -> Bool {
    names.types[name] != nil || SourceTree.has(name)
      || SourceTree.files.contains { $0.name == name }
  }

  /// `commit` of `CommitLog.commit(_:of: Engine)`.
  private func lastName(_ call: String) -> String? {
    let end = call.firstIndex(of: "(") ?? call.endIndex
    return call[..<end].split(separator: ".").last.map(String.init)
  }
}
