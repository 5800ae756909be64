import UIFusionKit

/// The long lists of a value's last text, whose unchanged pieces the next text shares.
///
/// Only an `IdentifiedArray` is written in pieces: a piece that two States share has not changed, unless its
/// elements hold objects (``HeldObjects``). Nothing else tells whether an element has changed: 0.0 equals
/// -0.0, a type's own `==` may ignore properties, and equal bits may lead to another object.
package final class WrittenLists: Sendable {
  fileprivate let lists: [ListCopier.Entry]
  /// The number of bytes that are shared with the previous text.
  package let shared: Int
  /// The number of bytes of the text without the lists.
  let frameCount: Int

  fileprivate init(_ lists: [ListCopier.Entry], shared: Int, frameCount: Int) {
    self.lists = lists
    self.shared = shared
    self.frameCount = frameCount
  }

  /// The minimum number of elements of a list in pieces.
  static let minimumCount = 32
}

/// A copier of the unchanged pieces of lists, used while one value is written.
final class ListCopier {
  fileprivate struct Entry: Sendable {
    /// The position in the text at which the elements belong.
    var start: Int
    let list: any EncodedList
    /// The depth at which the array is nested.
    let depth: Int
    /// Whether the elements' text is known to be the same as for the store.
    let isAsStored: Bool
  }

  private let last: WrittenLists?
  /// Returns a number that changes with each side effect of writing; a list with a side effect is not copied.
  private let notes: () -> UInt64
  private var written: [Entry] = []
  private var shared = 0
  private var isWithinList = false

  init(_ last: WrittenLists?, notes: @escaping () -> UInt64) {
    self.last = last
    self.notes = notes
  }

  /// Returns the lists of this value's text; nil if it has no long list.
  func lists(in text: [UInt8]) -> WrittenLists? {
    written.isEmpty ? nil : WrittenLists(written, shared: shared, frameCount: text.count)
  }

  /// The lists that are stored apart from the text.
  var apart: [StateText.List] { written.map { StateText.List($0.list.text, at: $0.start) } }

  // MARK: Changes of the text

  /// Drops the lists after a position, from which the text is removed.
  func forget(from offset: Int) {
    while let last = written.last, last.start > offset { written.removeLast() }
  }

  /// Moves the lists after a position at which some bytes are removed.
  func close(gap: Int, from offset: Int) {
    for index in written.indices.reversed() {
      guard written[index].start > offset else { return }
      written[index].start -= gap
    }
  }

  // MARK: Writing

  /// Writes a list in pieces, apart from the text; returns false if the list must write itself.
  func write<Element: Encodable>(
    _ list: IdentifiedArray<Element>,
    to place: Place
  ) throws -> Bool {
    guard let depth = open(list.count, at: place) else { return false }
    isWithinList = true
    defer { isWithinList = false }
    let (writer, noted) = (place.writer, notes())
    let old = lastList(as: EncodedPieces<Element>.self, depth, writer)
    var pieces = PieceWriter<Element>(place)
    // If an element closed the list, the second pass writes it again.
    guard let text = try pieces.write(list, after: old?.isCopied == true ? old : nil),
      let start = writer.buffer.closeEmpty(place)
    else { return true }
    shared += text.count - pieces.made
    let isCopied = notes() == noted && !HeldObjects.mayBe(in: Element.self)
    written.append(
      Entry(
        start: start,
        list: EncodedPieces(list, text, isCopied: isCopied),
        depth: depth,
        isAsStored: writer.isAsStored
      )
    )
    return true
  }

  /// Opens the array of a long list, and returns its depth; nil if the list must write itself.
  private func open(_ count: Int, at place: Place) -> Int? {
    let writer = place.writer
    guard !isWithinList, count >= WrittenLists.minimumCount, writer.buffer.isUntouched(place) else {
      return nil
    }
    writer.buffer.open(.array, at: place)
    guard writer.buffer.enter(place), !writer.buffer.isMisused else { return nil }
    return writer.buffer.frames[place.index].depth
  }

  /// Returns the list at the same position of the last text.
  ///
  /// A list with another element type or depth does not match: the depth limits the nesting within it.
  private func lastList<List: EncodedList>(
    as type: List.Type,
    _ depth: Int,
    _ writer: JSONWriter
  ) -> List? {
    guard let last, written.count < last.lists.count else { return nil }
    let entry = last.lists[written.count]
    guard let list = entry.list as? List, entry.depth == depth else { return nil }
    // Copied elements do not report again that they differ from the store's text.
    if !entry.isAsStored { writer.isAsStored = false }
    return list
  }
}
