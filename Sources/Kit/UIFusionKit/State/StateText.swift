/// The JSON of a State; its long lists are stored separately, in pieces that successive texts share.
///
/// A turn that changes one of many elements creates only a few pieces, and two texts are compared by the
/// pieces that they do not share. The bytes are joined on demand.
package struct StateText: Sendable {
  // A single word, since each session has one, and most are `whole`.
  private enum Storage: Sendable {
    case whole([UInt8])
    case pieces(Pieces)
  }

  private final class Pieces: Sendable {
    let frame: [UInt8]
    let lists: [List]
    let count: Int

    init(_ frame: [UInt8], _ lists: [List]) {
      (self.frame, self.lists) = (frame, lists)
      count = lists.reduce(frame.count) { $0 + $1.elements.count }
    }

    /// Appends the frame, and calls a function to append each list in its position.
    func join(to bytes: inout [UInt8], _ append: (ListText, inout [UInt8]) -> Void) {
      var written = 0
      for list in lists {
        bytes += frame[written..<list.offset]
        append(list.elements, &bytes)
        written = list.offset
      }
      bytes += frame[written...]
    }
  }

  /// A list that is stored separately.
  package struct List: Sendable {
    /// The offset in the frame, between the list's brackets.
    package let offset: Int
    package let elements: ListText

    package init(_ elements: ListText, at offset: Int) {
      (self.offset, self.elements) = (offset, elements)
    }
  }

  private let storage: Storage

  package init(_ frame: [UInt8], lists: [List] = []) {
    storage = lists.isEmpty ? .whole(frame) : .pieces(Pieces(frame, lists))
  }

  /// The text, with `[]` in place of each separate list.
  package var frame: [UInt8] {
    switch storage {
    case .whole(let bytes): bytes
    case .pieces(let pieces): pieces.frame
    }
  }

  /// The separate lists, in order.
  package var lists: [List] {
    switch storage {
    case .whole: []
    case .pieces(let pieces): pieces.lists
    }
  }

  /// The number of bytes.
  package var count: Int {
    switch storage {
    case .whole(let bytes): bytes.count
    case .pieces(let pieces): pieces.count
    }
  }

  /// The whole text.
  package var bytes: [UInt8] {
    guard case .pieces(let pieces) = storage else { return frame }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pieces.count)
    append(to: &bytes)
    return bytes
  }

  package func append(to bytes: inout [UInt8]) {
    switch storage {
    case .whole(let whole): bytes += whole
    case .pieces(let pieces): pieces.join(to: &bytes) { $0.append(to: &$1) }
    }
  }

  /// The frame with a text in place of each list's elements.
  package func frame(filledWith filling: [UInt8]) -> [UInt8] {
    guard case .pieces(let pieces) = storage else { return frame }
    var bytes: [UInt8] = []
    pieces.join(to: &bytes) { $1 += filling }
    return bytes
  }
}

/// The JSON of a list's elements, with commas between them: a tree like that of the list itself.
package final class ListText: Sendable {
  package enum Content: Sendable {
    /// A few elements, with the position of each.
    case leaf([UInt8], starts: [UInt32])
    case branch([ListText])
  }

  package let content: Content
  /// The number of bytes.
  package let count: Int
  /// The number of elements.
  package let elements: Int

  package init(_ bytes: [UInt8], starts: [UInt32]) {
    content = .leaf(bytes, starts: starts)
    (count, elements) = (bytes.count, starts.count)
  }

  package init(_ parts: [ListText]) {
    content = .branch(parts)
    count = parts.reduce(parts.count - 1) { $0 + $1.count }
    elements = parts.reduce(0) { $0 + $1.elements }
  }

  package func append(to bytes: inout [UInt8]) {
    switch content {
    case .leaf(let own, _): bytes += own
    case .branch(let parts):
      for (index, part) in parts.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        part.append(to: &bytes)
      }
    }
  }
}
