import Testing

/// Keeps articles up to date when a name that they mention is renamed or removed.
struct `An article` {
  private let names = DeclaredNames.all

  /// Names of Swift and its libraries, of HTTP, and of browsers.
  private static let standard: Set<String> = [
    "Allow", "Alt", "AsyncStream", "Authorization", "CancellationError", "CharacterSet",
    "CocoaError", "Codable", "ContinuousClock",
    "Control", "CustomNSError", "CustomStringConvertible", "Data", "Date", "Decimal", "Decodable",
    "DispatchQueue", "ETag", "Encodable", "Equatable", "Error", "EventSource", "Hashable", "Host",
    "Cookie", "IndexSet", "Int", "JSONDecoder", "JSONEncoder", "LocalizedError", "Location",
    "MainActor", "Meta", "Mutex", "NSError",
    "NonisolatedNonsendingByDefault", "ObservableObject", "Origin", "Referer", "Sendable",
    "SharedWorker", "Straße", "String",
    "Synchronization", "Task", "Testing", "Timer", "URLComponents", "URLError", "Vary", "Void",
    "XCTestCase",
    "addEventListener", "fatalError", "shop.d.ts", "shop.js",
    "localizedDescription", "viewDidLoad",
  ]

  /// Names of the libraries that a reader ports from, and of the programs in the examples.
  private static let reader: Set<String> = [
    ".concatenate", "AsyncViewModelProtocol", "Scope", "TestStore",
    "cancelInFlight", "disposeBag", "effectQueue", "ifLet", "initialState", "isProcessingEffects",
    "IdentifiedArrayOf", "StackState",
  ]

  /// Names of Apache, and a range of addresses.
  private static let proxies: Set<String> = [
    "10.0.0.0/8", "MaxRequestWorkers", "ProxyPreserveHost",
  ]

  private static let foreign = standard.union(reader).union(proxies)

  @Test func `is found by these tests`() {
    #expect(Article.all.count >= 18)
  }

  @Test(arguments: Article.all)
  func `names only existing files and folders`(_ article: Article) throws {
    for span in try article.spans where isPath(span) && !Self.foreign.contains(span) {
      #expect(SourceTree.has(span), "\(span)")
    }
  }

  @Test(arguments: Article.all)
  func `names only existing types and members`(_ article: Article) throws {
    for span in try article.spans {
      guard let chain = typeChain(span), !Self.foreign.contains(chain[0]) else { continue }
      #expect(isKnown(chain[0]), "\(span)")
      let isWhole = zip(chain, chain.dropFirst()).allSatisfy { names.has($1, in: $0) }
      #expect(isWhole, "\(span)")
    }
  }

  @Test(arguments: Article.all)
  func `names only existing functions and cases`(_ article: Article) throws {
    for span in try article.spans {
      guard let name = memberName(span) else { continue }
      let isThere = names.members[name] != nil || SourceTree.has(span)
      #expect(isThere || Self.foreign.contains(span), "\(span)")
    }
  }

  @Test(arguments: Article.all)
  func `names only existing flags and targets of make`(_ article: Article) throws {
    let makefile = try SourceFile(path: "Makefile").lines
    let commands = SourceTree.files.filter { file in
      ["Flag", "Command", "Simulate"].contains { file.name.contains($0) }
    }
    let sources = try commands.map { try $0.text }
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
  func `names only existing tests, with their files`(_ article: Article) throws {
    for test in try article.tests {
      let files = SourceTree.swiftFiles(in: "Tests").filter { $0.name == test.file }
      let isThere = try files.contains { try $0.text.contains("`\(test.name)`") }
      #expect(isThere, "\"\(test.name)\" (\(test.file))")
    }
  }

  @Test(arguments: Article.all)
  func `lists only existing functions as steps, each called by the one above`(
    _ article: Article
  ) throws {
    for walk in try article.walks {
      var callers: [Article.Step] = []
      for step in walk {
        #expect(try !step.declarations.isEmpty, "\(step.call) is not in \(step.file).swift")
        #expect(step.depth <= callers.count, "\(step.call) has no caller")
        callers = Array(callers.prefix(step.depth)) + [step]
        if let caller = callers.dropLast().last {
          #expect(try step.isCalled(by: caller), "\(caller.call) does not call \(step.call)")
        } else {
          #expect(try step.isUsed, "nothing calls \(step.call)")
        }
      }
    }
  }

  @Test func `follows an Input through every stage`() throws {
    #expect(try Article.all.flatMap { try $0.walks }.count >= 8)
  }

  @Test func `lists exactly the existing targets as layers`() throws {
    let text = try SourceFile(path: "Package.swift").text
    let targets = text.matches(of: /path: "Sources\/([\w\/]+)"/)
      .map { $0.output.1.split(separator: "/").map(String.init) }
      .filter { $0[0] != "C" }
    #expect(targets.count > 15)
    let rows = try SourceFile(path: Self.catalog + "Architecture.md").lines.filter {
      $0.prefixMatch(of: #/\| `\w+` \| /#) != nil
    }
    let drawn = rows.map { row in row.matches(of: /`(\w+)`/).map { String($0.output.1) } }
    for target in targets {
      let row = drawn.first { $0[0] == target[0] }
      #expect(row?.contains(target.last ?? "") == true, "\(target.joined(separator: "/"))")
    }
    #expect(drawn.count == Set(targets.map { $0[0] }).count)
  }

  @Test func `shows each state of a session, and the functions that change it`() throws {
    let rows = try SourceFile(path: Self.catalog + "Architecture.md").lines
      .drop { $0 != "## A session's life" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }
    let files = SourceTree.swiftFiles(in: "Sources").filter { $0.folder.hasSuffix("/Directory") }
    let paths = Set(files.map(\.path))
    for function in rows.flatMap({ $0.matches(of: /`([a-z]\w+)`/) }).map({ String($0.output.1) }) {
      #expect(names.members[function]?.isDisjoint(with: paths) == false, "\(function)")
    }
    let code = try #require(files.first { $0.name == "Directory" }).code
    let states = code.drop { !$0.contains("enum State {") }.prefix { $0 != "  }" }
      .compactMap { $0.firstMatch(of: /case (\w+)/)?.output.1 }
    #expect(states.count > 4)
    for state in states {
      #expect(rows.contains { $0.contains(state) }, "\(state)")
    }
  }

  @Test func `names only existing types, files and tests in its table of kinds of faults`() throws {
    let rows = try SourceFile(path: Self.catalog + "HowItIsTested.md").lines
      .drop { $0 != "## The kinds of faults" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }
    #expect(rows.count > 20)
    for span in rows.flatMap({ $0.matches(of: /`([^`]+)`/) }).map({ String($0.output.1) }) {
      #expect(isKnown(span), "\(span)")
    }
  }

  @Test func `explains each word once, in the glossary`() throws {
    let words = try SourceFile(path: Self.catalog + "Glossary.md").lines
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| word ") }
      .map { $0.dropFirst(2).prefix { $0 != "|" } }
    #expect(Set(words).isSuperset(of: ["lease ", "epoch ", "node ", "commit ", "release "]))
    for word in Set(words) {
      #expect(words.count { $0 == word } == 1, "\(word)")
    }
  }

  @Test func `is short, and so are all articles together`() throws {
    // The indexes of symbols have signatures only.
    let lengths = try Article.all.filter { $0.file.name != "Symbols" }.map {
      try $0.file.text.split(whereSeparator: \.isWhitespace).count
    }
    #expect(lengths.max() ?? 0 <= 3_500)
    #expect(lengths.reduce(0, +) <= 40_000)
  }

  private static let catalog = "Sources/Service/UIFusionServer/UIFusionServer.docc/"

  @Test(arguments: Article.all)
  func `has a header for every table`(_ article: Article) throws {
    let lines = try article.file.lines
    for (index, line) in lines.enumerated() where line.hasPrefix("| ") {
      guard index == 0 || !lines[index - 1].hasPrefix("|") else { continue }
      let next = index + 1 < lines.count ? lines[index + 1] : ""
      #expect(next.hasPrefix("| ---"), "line \(index + 1)")
    }
  }

  // MARK: Spans

  private func isPath(_ span: String) -> Bool {
    guard span.wholeMatch(of: /\.?[\w+-]+(?:[\/.][\w+.-]+)*/) != nil else { return false }
    if span.hasPrefix(".") { return span.contains("/") }
    let isMediaType = span.hasPrefix("text/") || span.hasPrefix("application/")
    let hasKind = ["swift", "toml", "md", "yml", "html", "js"].contains { span.hasSuffix("." + $0) }
    return !isMediaType && (span.contains("/") || hasKind)
  }

  /// Returns `EffectGraph.BatchID` as its two names; nil if a span is no type.
  private func typeChain(_ span: String) -> [String]? {
    guard span.wholeMatch(of: /[A-Z]\w*[a-z]\w*(?:<\w+>)?(?:\.\w+)*(?:\([\w:]*\))?/) != nil else {
      return nil
    }
    let end = span.firstIndex { $0 == "<" || $0 == "(" } ?? span.endIndex
    guard !span.hasSuffix(".swift") else { return nil }
    return span[..<end].split(separator: ".").map(String.init)
  }

  /// Returns `commit` for `commit(_:of:)`, `endTurn`, or `merge` for `.merge`; nil if a span may be a plain
  /// word.
  private func memberName(_ span: String) -> String? {
    let patterns = [
      /([a-z]+[A-Z]\w*)(?:\([\w:]*\))?/, /([a-z]\w*)\([\w:]*:\)/, /\.([a-z]\w*)(?:\([\w:]*\))?/,
    ]
    return patterns.lazy.compactMap { span.wholeMatch(of: $0)?.output.1 }.first.map { String($0) }
  }

  /// Whether a type, a folder or a file has the name.
  private func isKnown(_ name: String) -> Bool {
    names.types[name] != nil || SourceTree.has(name)
      || SourceTree.files.contains { $0.name == name }
  }
}
