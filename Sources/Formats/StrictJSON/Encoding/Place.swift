/// Where one value goes, as long as its text is the end of the buffer, or has a segment of its own.
struct Place {
  let writer: JSONWriter
  let index: Int
  let serial: Int

  /// A place that is closed already: what a container that cannot be written to hands out.
  static func closed(in writer: JSONWriter) -> Place {
    Place(writer: writer, index: .max, serial: 0)
  }

  var codingPath: [any CodingKey] { writer.draft.path(of: index) }
}

/// What is known of a place: what has been written there, and how it is reached.
struct Frame {
  enum Filling {
    case nothing, scalar, object, array
  }

  enum Label {
    case root
    case member(String)
    case element(Int)
  }

  let serial: Int
  let parent: Int?
  let depth: Int
  let label: Label
  /// A container that a type has asked for within its own object, as for a case's values.
  let isNested: Bool
  var filling = Filling.nothing
  /// The value is a case, to be shortened when all is put together.
  var isCase = false
  var count = 0
}

/// How much a container held before its newest member or element.
struct Mark {
  let bytes: Int
  let count: Int
  let segments: Int
}

/// Thrown to leave the first pass early; the second one begins instead.
struct ClosedSlot: Error {}

extension EncodingBuffer {
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
  static func invalid(
    _ value: Any,
    _ reason: String,
    at path: [any CodingKey]
  ) -> EncodingError {
    .invalidValue(value, Context(codingPath: path, debugDescription: reason))
  }
}
