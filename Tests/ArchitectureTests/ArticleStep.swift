extension Article {
  /// A function that an Input passes through.
  struct Step {
    /// The depth of the indentation; the function above with less indentation calls this one, or passes it
    /// on.
    let depth: Int
    /// The function's name, with its type's if necessary.
    let call: String
    let file: String
  }
}

extension Article.Step {
  /// The function and its overloads, with their bodies.
  var declarations: [String] {
    get throws { try Self.bodies(of: name, in: file) }
  }

  /// Whether the body of another function calls this one, or passes it on.
  ///
  /// Another function of the caller's own file with fitting parameters is nearer than this one.
  func isCalled(by caller: Article.Step) throws -> Bool {
    let isNearest = caller.file == file || caller.name == name
    let nearer = isNearest ? [] : try Self.bodies(of: name, in: caller.file)
    return try caller.declarations.contains { body in
      // Leaves out the declaration, which contains the function's own name.
      try refers(String(body.drop { $0 != "\n" && $0 != "{" && $0 != "=" }), nearer: nearer)
    }
  }

  /// Whether any code but the declaration refers to the function.
  var isUsed: Bool {
    get throws {
      try SourceTree.swiftFiles(in: "Sources").contains { file in
        guard try file.text.contains(word) else { return false }
        let lines = try file.code.filter { !SourceFile.declares(word, $0) }
        return try refers(lines.joined(separator: "\n"), nearer: [])
      }
    }
  }

  /// `commit` of `CommitLog.commit`.
  private var name: String { call.split(separator: ".").last.map(String.init) ?? call }

  /// The word by which a caller refers to the function; for an initializer, its type.
  private var word: String {
    name == "init" ? call.split(separator: ".").first.map(String.init) ?? call : name
  }

  private func refers(_ code: String, nearer: [String]) throws -> Bool {
    let parameters = try declarations.compactMap(\.parameters)
    if parameters.isEmpty {
      // By default, `connection.answer` counts as one word.
      return code.contains(try Regex(#"\b\#(word)\b"#).wordBoundaryKind(.simple))
    }
    let argument = try Regex(#"[(\[,:]\s*(unsafe )?([\w.?]+\.)?\#(word)\s*[,)\]]"#)
    if code.contains(argument) { return true }
    let isCallable = name == "callAsFunction"
    let words = isCallable ? ["self", "respond", "responder"] : [word]
    let nearer = isCallable ? [] : nearer.compactMap(\.parameters)
    return words.flatMap(code.calls).contains { isOwn, arguments in
      parameters.contains(where: arguments.fit)
        && !(isOwn && nearer.contains(where: arguments.fit))
    }
  }

  private static func bodies(of name: String, in file: String) throws -> [String] {
    try SourceTree.swiftFiles(in: "Sources").filter { $0.name == file }
      .flatMap { try $0.bodies(of: name) }
  }
}
