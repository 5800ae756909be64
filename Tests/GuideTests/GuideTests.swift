import Foundation
import Testing

/// Checks that the guide's code is that of the files beside this one, which is compiled and tested.
struct `The guide` {
  @Test(arguments: articles)
  func `has only code that is also in its tests`(_ article: String) throws {
    let blocks = try blocks(of: article).filter(\.isCompiled)
    let code = blocks.isEmpty ? [] : try compiledCode(of: article)
    for block in blocks {
      #expect(code.contains { $0.holds(block.lines) }, "\(article).md, line \(block.number)")
    }
  }

  @Test(arguments: articles)
  func `fails if a line is changed, left out or misplaced`(_ article: String) throws {
    let blocks = try blocks(of: article).filter(\.isCompiled)
    let code = blocks.isEmpty ? [] : try compiledCode(of: article)
    for block in blocks {
      for index in block.lines.indices {
        for lines in spoiled(block.lines, at: index) {
          #expect(!code.contains { $0.holds(lines) }, "\(article).md: \(block.lines[index])")
        }
      }
    }
  }

  @Test(arguments: articles)
  func `has only blocks of known kinds`(_ article: String) throws {
    let known = ["swift", "json", "console", "swift-original", "text", "sh", "html", "js"]
    for block in try blocks(of: article) {
      #expect(known.contains(block.kind), "\(article).md, line \(block.number): \(block.kind)")
    }
    for line in try lines(of: guide.appending(path: article + ".md")) {
      let isHidden = line.hasPrefix(" ") && line.contains("```") || line.hasPrefix("~~~")
      #expect(!isHidden, "\(article).md: a fence that no test looks into: \(line)")
    }
  }

  @Test(arguments: articles)
  func `links only to existing articles and symbols`(_ article: String) throws {
    let text = try lines(of: guide.appending(path: article + ".md")).joined(separator: "\n")
    for link in text.matches(of: /<doc:(\w+)>/) {
      #expect(articles.contains(String(link.output.1)), "\(article).md: \(link.output.0)")
    }
    for link in text.matches(of: /[^`]``(\w+)``/) where link.output.1 != "UIFusionKit" {
      #expect(publicTypes.contains(String(link.output.1)), "\(article).md: \(link.output.1)")
    }
  }

  @Test func `lists every article on its landing page`() throws {
    let page = try lines(of: guide.appending(path: "UIFusionKit.md"))
    for article in articles where article != "UIFusionKit" {
      #expect(page.contains("- <doc:\(article)>"), "UIFusionKit.md does not list \(article)")
    }
    #expect(articles.count == 15)
  }
}

// MARK: - Reading

/// A fenced block of an article.
private struct Block {
  /// The word after the fence.
  let kind: String
  /// The line number of the fence.
  let number: Int
  var lines: [String] = []

  /// Whether the block has to be in the tests.
  var isCompiled: Bool { ["swift", "json", "console"].contains(kind) }
}

private let guide = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Sources/Kit/UIFusionKit/UIFusionKit.docc")

private let articles: [String] = {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: guide.path)) ?? []
  return names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
}()

/// The names of the library's public types.
private let publicTypes: Set<String> = {
  let files = (try? swiftFiles(in: guide.deletingLastPathComponent())) ?? []
  let declarations = files.flatMap { (try? lines(of: $0)) ?? [] }.filter { $0.contains("public ") }
  let keyword = /public (?:final class|struct|enum|protocol|actor) (\w+)/
  return Set(declarations.compactMap { $0.firstMatch(of: keyword).map { String($0.output.1) } })
}()

private func lines(of file: URL) throws -> [String] {
  var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  if lines.last == "" { lines.removeLast() }
  return lines
}

private func blocks(of article: String) throws -> [Block] {
  var blocks: [Block] = []
  var open: Block?
  for (index, line) in try lines(of: guide.appending(path: article + ".md")).enumerated() {
    guard line.hasPrefix("```") else {
      open?.lines.append(line)
      continue
    }
    if let block = open {
      try #require(line == "```", "\(article).md, line \(index + 1): a fence within a block")
      blocks.append(block)
      open = nil
    } else {
      open = Block(kind: String(line.dropFirst(3)), number: index + 1)
    }
  }
  #expect(open == nil, "\(article).md ends within a block")
  return blocks
}

private func swiftFiles(in folder: URL) throws -> [URL] {
  try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    .filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
}

/// Returns the test files of an article's code; two articles also show another's code, and those on porting
/// also that of the ported samples.
private func compiledCode(of article: String) throws -> [Code] {
  let others = ["UIFusionKit": "ChoosingAPattern", "PortingReactors": "Porting"]
  let file = others[article] ?? article
  let folder = URL(filePath: #filePath).deletingLastPathComponent()
  var files = [folder.appending(path: file + "Tests.swift")]
  if file == "Porting" {
    for samples in ["SeedTests", "MainActorTests"] {
      files += try swiftFiles(in: folder.deletingLastPathComponent().appending(path: samples))
    }
  }
  return try files.map { Code(lines: try lines(of: $0)) }
}

/// Returns the block with one line changed, without the line, and with the line after the next one.
private func spoiled(_ block: [String], at index: Int) -> [[String]] {
  var changed = block
  changed[index] += "x"
  var all = [changed]
  if index > 0, index + 1 < block.count {
    var shorter = block
    shorter.remove(at: index)
    all.append(shorter)
  }
  if index + 1 < block.count, block[index] != block[index + 1] {
    var misplaced = block
    misplaced.swapAt(index, index + 1)
    all.append(misplaced)
  }
  return all
}

private struct Code {
  let lines: [String]

  /// Whether the file contains the block as a whole, with the same additional indentation on each line.
  func holds(_ block: [String]) -> Bool {
    guard let first = block.first, block.count <= lines.count else { return false }
    return lines.indices.dropLast(block.count - 1).contains { start in
      let margin = lines[start].prefix { $0 == " " }.count - first.prefix { $0 == " " }.count
      guard margin >= 0 else { return false }
      let indentation = String(repeating: " ", count: margin)
      return zip(lines[start...], block).allSatisfy { $0 == ($1.isEmpty ? "" : indentation + $1) }
    }
  }
}
