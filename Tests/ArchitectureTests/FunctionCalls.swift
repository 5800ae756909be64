/// The labels of a call's arguments, by which it selects one of the functions of a name.
struct CallArguments {
  /// The labels within the parentheses; nil for an argument without one.
  let labels: [String?]
  /// Whether a bracket follows the parentheses, or stands in their place, which may open a closure.
  let mayHaveClosure: Bool

  /// Whether a function with these parameters takes the arguments.
  func fit(_ parameters: [Parameter]) -> Bool {
    var labels = labels[...]
    var missing = 0
    for parameter in parameters {
      if let label = labels.first, label == parameter.label {
        labels = labels.dropFirst()
      } else if !parameter.isOptional {
        missing += 1
      }
    }
    return labels.isEmpty && missing <= (mayHaveClosure ? 1 : 0)
  }
}

/// A parameter of a declared function.
struct Parameter {
  let label: String?
  /// Whether a call may leave it out.
  let isOptional: Bool

  /// Reads the text `label name: Type = default`.
  init(_ text: Substring) {
    let parts = text.split(separator: ":", maxSplits: 1)
    let name = parts.first?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    label = name == "_" ? nil : name
    let type = parts.count > 1 ? parts[1] : ""
    isOptional = type.contains(" = ") || type.contains("...")
  }
}

extension String {
  /// The parameters of a declaration with its body; nil if it has none, as a property.
  var parameters: [Parameter]? {
    let head = replacing("->", with: "→")
    guard let word = head.firstRange(of: /\bfunc\b|\binit\b/),
      let opening = head[word.upperBound...].firstIndex(where: { $0 == "(" || $0 == "{" }),
      head[opening] == "("
    else { return nil }
    return head.parts(inParenthesesAt: opening, brackets: "([{<", ")]}>").parts.map(Parameter.init)
  }

  /// The arguments of each call of a function in this text, with whether it is of this type or of another value.
  func calls(of name: String) -> [(isOwn: Bool, arguments: CallArguments)] {
    ranges(of: "\(name)").compactMap { range in
      guard !before(range.lowerBound).isPartOfName, range.upperBound < endIndex else { return nil }
      let rest = self[range.upperBound...]
      guard rest.hasPrefix("(") || rest.hasPrefix(" {") else { return nil }
      var isOwn = before(range.lowerBound) != "."
      if !isOwn {
        isOwn = self[..<range.lowerBound].firstMatch(of: /(^|[^.\w])(self|Self)\.$/) != nil
      }
      guard rest.hasPrefix("(") else {
        return (isOwn, CallArguments(labels: [], mayHaveClosure: true))
      }
      let (parts, end) = parts(inParenthesesAt: range.upperBound, brackets: "([{", ")]}")
      let labels = parts.map { $0.prefixMatch(of: /\s*(\w+):\s/).map { String($0.output.1) } }
      let closure = self[end...].hasPrefix(" {")
      return (isOwn, CallArguments(labels: labels, mayHaveClosure: closure))
    }
  }

  private func before(_ index: Index) -> Character {
    index > startIndex ? self[self.index(before: index)] : " "
  }

  /// Returns the texts between the commas in parentheses, and the index after these.
  private func parts(
    inParenthesesAt opening: Index,
    brackets open: String,
    _ closed: String
  ) -> (parts: [Substring], end: Index) {
    var (parts, depth, isText) = ([Substring](), 0, false)
    var start = index(after: opening)
    for index in self[opening...].indices {
      let character = self[index]
      if character == "\"", before(index) != "\\" { isText.toggle() }
      guard !isText else { continue }
      if open.contains(character) { depth += 1 }
      if closed.contains(character) { depth -= 1 }
      guard depth == 0 || depth == 1 && character == "," else { continue }
      let part = self[start..<index]
      if !part.allSatisfy(\.isWhitespace) { parts.append(part) }
      start = self.index(after: index)
      if depth == 0 { return (parts, start) }
    }
    return (parts, endIndex)
  }
}

extension Character {
  var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}
