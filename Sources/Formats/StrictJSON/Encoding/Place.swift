/// The place of one value in the text: open while its text is at the end of the buffer, or has a segment.
struct Place {
  let writer: JSONWriter
  let index: Int
  let serial: Int

  /// Returns a closed place, for the inner containers of a closed container.
  static func closed(in writer: JSONWriter) -> Place {
    Place(writer: writer, index: .max, serial: 0)
  }

  var codingPath: [any CodingKey] { writer.buffer.path(of: index) }
}

/// The state of an open place.
struct Frame {
  /// The kind of text written so far.
  enum Content {
    case none, scalar, object, array
  }

  /// The step from the enclosing container to the place.
  enum Label {
    case root
    case member(String)
    case element(Int)
  }

  let serial: Int
  let parent: Int?
  let depth: Int
  let label: Label
  /// Whether the type requested a nested container, as it does for a case's values.
  let isNested: Bool
  /// The index of an object's first member among the buffer's names.
  let firstName: Int
  var content = Content.none
  /// Whether the value is a case to shorten when segments are joined.
  var isCase = false
  var count = 0
  /// The names so far: a bit for each, by its hash.
  var hashes: UInt64 = 0
  /// Whether a name is that of an enum's case.
  var hasFixedName = false
  /// The position of the last free name; see ``MemberKey``.
  var lastFreeName: Int?
}

/// The size of a container before its newest member or element.
struct Savepoint {
  let bytes: Int
  let count: Int
  let segments: Int
  let lastFreeName: Int?
}

/// An error that ends the first pass early when a place is closed.
struct ClosedPlaceError: Error {}

extension EncodingBuffer {
  /// Returns the coding path of a place.
  func path(of index: Int?) -> [PathKey] {
    guard let index, index < frames.count else { return [] }
    let outer = path(of: frames[index].parent)
    switch frames[index].label {
    case .root: return outer
    case .member(let name): return outer + [PathKey(stringValue: name)]
    case .element(let position): return outer + [PathKey(intValue: position)]
    }
  }
}

extension EncodingError {
  /// Returns an error about a value that cannot be written as JSON.
  static func invalid(
    _ value: Any,
    _ reason: String,
    at path: [any CodingKey]
  ) -> EncodingError {
    .invalidValue(value, Context(codingPath: path, debugDescription: reason))
  }
}
