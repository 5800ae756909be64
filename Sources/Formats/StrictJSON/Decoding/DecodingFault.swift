/// An internal error that is cheap to throw.
///
/// A type may try several forms for each of thousands of elements and discard the errors. The path and the
/// message are therefore built only for an error that reaches the caller.
struct DecodingFault: Error {
  enum Cause {
    case mismatch(expected: String)
    case unknown(name: Int)
    case missing(String)
    /// The name of a dictionary's member is not a valid key.
    case invalidName(Int, expected: String?)
    /// Two members of a dictionary give the same key.
    case repeated(name: Int)
    case outOfRange(String)
    /// A type's own `init(from:)` threw an error.
    case thrown(any Error)
  }

  let place: NodeDecoder
  let cause: Cause

  init(_ place: NodeDecoder, _ cause: Cause) {
    self.place = place
    self.cause = cause
  }

  /// Returns whether the value at a place has the wrong type.
  func isMismatch(at place: NodeDecoder) -> Bool {
    guard case .mismatch = cause else { return false }
    return self.place.index == place.index && self.place.document === place.document
  }

  /// The error for the caller, with path and message.
  var error: JSONError {
    switch cause {
    case .mismatch(let expected):
      return error(.typeMismatch, "expected \(expected), found \(place.found)")
    case .unknown(let name):
      let text = place.document.text(of: name).clipped
      let offset = Int(place.document.nodes[name].start)
      if place.isInput {
        return JSONError(.unknownCase, at: offset, path: [], reason: "there is no case '\(text)'")
      }
      if name == place.index { return error(.typeMismatch, "there is no case '\(text)'") }
      let path = inputPath(path() + [place.document.text(of: name)])
      return JSONError(.unknownMember, at: offset, path: path, reason: "unknown member '\(text)'")
    case .invalidName(let name, let expected):
      let text = place.document.text(of: name).clipped
      return error(
        atName: name,
        expected.map { "expected \($0) as the name of a member, found '\(text)'" }
          ?? "'\(text)' is not among the names allowed here"
      )
    case .repeated(let name):
      let text = place.document.text(of: name).clipped
      return error(atName: name, "'\(text)' is the name of one key together with another member's")
    case .missing("_0"):
      return error(.missingMember, "the case needs a value")
    case .missing(let name):
      return error(.missingMember, "the member '\(name.clipped)' is missing", below: name)
    case .outOfRange(let type):
      return error(.numberOutOfRange, "the number does not fit \(type)")
    case .thrown(let thrown as DecodingError):
      return error(of: thrown)
    case .thrown(let thrown):
      // As `Any`: Foundation gives a description to every error that has none.
      let words = (thrown as Any as? any CustomStringConvertible)?.description
      return error(.typeMismatch, words.map(withoutLongText) ?? "the value is not acceptable")
    }
  }

  private func error(
    _ kind: JSONError.Kind,
    _ reason: String,
    below name: String? = nil
  ) -> JSONError {
    let path = inputPath(path() + (name.map { [$0] } ?? []))
    return JSONError(kind, at: Int(place.node.start), path: path, reason: reason)
  }

  private func error(atName name: Int, _ reason: String) -> JSONError {
    let path = inputPath(path() + [place.document.text(of: name)])
    let offset = Int(place.document.nodes[name].start)
    return JSONError(.typeMismatch, at: offset, path: path, reason: reason)
  }

  /// Returns the path to the place; includes the case if the value is only the case's name.
  private func path() -> [String] {
    let path = place.document.path(from: place.base, to: place.index).map(\.stringValue)
    return place.form == .noValues ? path + [place.document.text(of: place.index)] : path
  }
}

extension DecodingFault {
  /// Returns an Input's path without its case, unless the case's name stands for `_0`.
  private func inputPath(_ path: [String]) -> [String] {
    guard place.reading == .input || place.reading == .payload, path.count > 1 else { return path }
    if path[1] == "_0" { return [path[0]] + path[2...] }
    return place.reading == .payload ? path : Array(path[1...])
  }

  private func error(of thrown: DecodingError) -> JSONError {
    switch thrown {
    case .keyNotFound(let key, let context):
      return error(
        .missingMember,
        "the member '\(key.stringValue.clipped)' is missing",
        at: context.codingPath + [key]
      )
    case .typeMismatch(_, let context):
      // The synthesized message mentions keys, which a client does not know.
      if place.form == .cases, place.node.kind == .object,
        place.document.value(at: context.codingPath, from: place.base) == place.index
      {
        return error(.typeMismatch, "expected one case, found \(place.node.count)")
      }
      return error(.typeMismatch, withoutLongText(context.debugDescription), at: context.codingPath)
    case .valueNotFound(_, let context):
      return error(.typeMismatch, withoutLongText(context.debugDescription), at: context.codingPath)
    case .dataCorrupted(let context):
      let isRawValue = context.debugDescription.hasPrefix("Cannot initialize ")
      return error(
        .typeMismatch,
        isRawValue
          ? "\(place.found) is not among the values allowed here"
          : withoutLongText(context.debugDescription),
        at: context.codingPath
      )
    @unknown default:
      return error(.typeMismatch, "the value is not acceptable")
    }
  }

  private func error(
    _ kind: JSONError.Kind,
    _ reason: String,
    at path: [any CodingKey]
  ) -> JSONError {
    let index = place.document.value(at: path, from: place.base)
    return JSONError(
      kind,
      at: Int(place.document.nodes[index].start),
      path: inputPath(path.map(\.stringValue)),
      reason: reason
    )
  }

  /// Shortens a type's own message, so that it has no more of the client's text than `clipped` allows.
  private func withoutLongText(_ words: String) -> String {
    let words = String(words.unicodeScalars.prefix(400))
    guard place.node.kind == .string || place.node.kind == .number else {
      return String(words.unicodeScalars.prefix(160))
    }
    let text = place.document.text(of: place.index)
    let clipped = text.clipped
    guard clipped != text,
      let quoted = words.firstRange(of: String(text.unicodeScalars.prefix(String.clippedLength)))
    else { return String(words.unicodeScalars.prefix(160)) }
    return words[..<quoted.lowerBound] + clipped
  }
}

extension NodeDecoder {
  /// A description of the value, to follow "found".
  fileprivate var found: String {
    switch node.kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "'\(document.text(of: index).clipped)'"
    case .number: document.text(of: index).clipped
    case .bool: node.flag ? "true" : "false"
    case .null: "null"
    }
  }
}
