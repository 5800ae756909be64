import FusionStrictJSON

/// A description of a State that a scenario waits for.
enum StatePattern: Sendable {
  /// The named members of objects, at any depth; lists have the same length.
  case part(JSONTree)
  case whole(JSONTree)
  /// A recorded State, which may have private members that clients do not get.
  case recorded(JSONTree)

  var json: JSONTree {
    switch self {
    case .part(let json), .whole(let json), .recorded(let json): json
    }
  }

  /// Returns a line for each difference, from what is expected to what is there; empty if a State fits.
  func differences(to state: JSONTree) -> [String] {
    let (expected, found) = (json.withPlainNumbers, state.withPlainNumbers)
    return switch self {
    case .part: JSONDifference(from: expected, to: found.keeping(expected)).lines
    case .whole: JSONDifference(from: expected, to: found).lines
    case .recorded: JSONDifference(from: expected.keepingBelowTop(found), to: found).lines
    }
  }

  /// Returns a recorded State without the members, at its top, that clients do not get.
  func withoutTop(_ isShown: (String) -> Bool) -> StatePattern {
    guard case .recorded(.object(let members)) = self else { return self }
    return .recorded(.object(members.filter { isShown($0.name) }))
  }
}

extension JSONTree {
  /// Returns the value without the members that another value's objects do not have.
  fileprivate func keeping(_ other: JSONTree) -> JSONTree {
    switch (self, other) {
    case (.object, .object(let members)):
      .object(
        members.compactMap { member in
          self[member.name].map { Member(member.name, $0.keeping(member.value)) }
        }
      )
    case (.array(let own), .array(let others)):
      .array(own.indices.map { $0 < others.count ? own[$0].keeping(others[$0]) : own[$0] })
    default: self
    }
  }

  /// Returns the value without such members, but with all of its own at the top: see ``StatePattern/withoutTop(_:)``.
  fileprivate func keepingBelowTop(_ other: JSONTree) -> JSONTree {
    guard case .object(let members) = self else { return keeping(other) }
    return .object(
      members.map { Member($0.name, $0.value.keeping(other[$0.name] ?? $0.value)) }
    )
  }

  /// The value with one text for each number: `1` for `1.0` and `10e-1`, up to 2^53 (RFC 8259 §6).
  var withPlainNumbers: JSONTree {
    switch self {
    case .number(let text):
      guard let number = Double(text), number.magnitude < 0x1p53 else { return self }
      return .number(number == number.rounded() ? "\(Int(number))" : "\(number)")
    case .array(let elements): return .array(elements.map(\.withPlainNumbers))
    case .object(let members):
      return .object(members.map { Member($0.name, $0.value.withPlainNumbers) })
    case .null, .bool, .string: return self
    }
  }

  /// Returns the value at a path of members' names, with dots between them; nil if there is none.
  func value(at path: String) -> JSONTree? {
    path.split(separator: ".").reduce(self as JSONTree?) { $0?[String($1)] }
  }
}
