extension SourceFile {
  /// Returns the code of every function, initializer or property with a name, from its declaration to its
  /// end.
  ///
  /// Relies on the formatter: a body ends with a bracket that has the declaration's indentation.
  func bodies(of name: String) throws -> [String] {
    let code = try code
    let declarations = code.indices.filter { Self.declares(name, code[$0]) }
    // A local variable may have a function's name.
    let functions = declarations.filter { code[$0].contains("func ") }
    return (functions.isEmpty ? declarations : functions).map { start in
      let depth = indentation(code[start])
      guard !endsAtOnce(code[start]) else { return code[start] }
      let end = code[(start + 1)...].firstIndex { line in
        guard !line.allSatisfy(\.isWhitespace), indentation(line) <= depth else { return false }
        return !opensBody(line)
      }
      return code[start..<(end ?? code.endIndex)].joined(separator: "\n")
    }
  }

  /// Whether a line declares a function, initializer or property with a name.
  static func declares(_ name: String, _ line: String) -> Bool {
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let keywords: Set<Substring> = ["func", "var", "let"]
    return zip(words, words.dropFirst()).contains { keywords.contains($0) && $1 == name }
      || name == "init" && words.contains("init") && !line.contains(".init")
  }

  private func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  /// Whether a declaration has its whole body on its own line.
  private func endsAtOnce(_ line: String) -> Bool {
    line.contains("{") && line.count(where: { $0 == "{" }) == line.count(where: { $0 == "}" })
  }

  /// Whether a line with the declaration's indentation still belongs to its head.
  private func opensBody(_ line: String) -> Bool {
    let text = line.drop { $0 == " " }
    return text.hasPrefix("where ") || text.hasPrefix(")") && text.hasSuffix("{")
  }
}
