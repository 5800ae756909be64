import UIFusionKit

/// The long lists of a value's last text, from which unchanged elements are copied.
///
/// Only elements with a ``BitLayout`` are copied one by one: equal bits mean the same value, and a type
/// writes the same text for the same value. Comparing with `==` would not be enough: 0.0 equals -0.0, strings
/// with different scalars may be equal, and a type's own `==` may ignore properties. The pieces of an
/// `IdentifiedArray` are shared if they hold no objects (``HeldObjects``): a piece that two States share has
/// not changed.
package final class WrittenLists: Sendable {
  let text: [UInt8]
  fileprivate let lists: [ListCopier.Entry]
  /// The number of bytes of the text that were copied.
  package let copied: Int
  /// The number of bytes that are shared with the previous text.
  package let shared: Int

  fileprivate init(_ text: [UInt8], _ lists: [ListCopier.Entry], copied: Int, shared: Int) {
    self.text = text
    self.lists = lists
    self.copied = copied
    self.shared = shared
  }

  /// The minimum number of elements of a list that is copied from.
  static let minimumCount = 32
}

/// A copier of unchanged list elements, used while one value is written.
final class ListCopier {
  fileprivate struct Entry: Sendable {
    /// The position of the first element in the text.
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
  private var (copied, shared) = (0, 0)
  private var isWithinList = false

  init(_ last: WrittenLists?, notes: @escaping () -> UInt64) {
    self.last = last
    self.notes = notes
  }

  /// Returns the lists of this value's text; nil if it has no long list.
  func lists(in text: [UInt8]) -> WrittenLists? {
    written.isEmpty || text.count > UInt32.max
      ? nil : WrittenLists(text, written, copied: copied, shared: shared)
  }

  /// The lists that are stored apart from the text.
  var apart: [StateText.List] {
    written.compactMap { entry in entry.list.apart.map { StateText.List($0, at: entry.start) } }
  }

  // MARK: Changes of the text

  /// Drops the lists that end after a position, from which the text is removed.
  func forget(from offset: Int) {
    while let last = written.last, last.start + last.list.length > offset { written.removeLast() }
  }

  /// Moves the lists after a position at which some bytes are removed.
  func close(gap: Int, from offset: Int) {
    for index in written.indices.reversed() {
      guard written[index].start > offset else { return }
      written[index].start -= gap
    }
  }

  // MARK: Writing

  /// Writes a list; returns false if the list must write itself.
  func write<Element: Encodable>(_ elements: [Element], to place: Place) throws -> Bool {
    guard let layout = BitLayout.of(Element.self), let depth = open(elements.count, at: place)
    else { return false }
    isWithinList = true
    defer { isWithinList = false }
    let (writer, noted) = (place.writer, notes())
    var list = ListWriter(elements, to: place)
    let last = lastList(as: EncodedElements<Element>.self, depth, writer)
    try list.write(copying: last?.list, from: last?.text ?? [], by: layout)
    // If an element closed the list, the second pass writes it again.
    guard notes() == noted, writer.buffer.enter(place) else { return true }
    copied += list.copied
    let length = writer.buffer.bytes.count - list.start
    add(EncodedElements(elements, list.starts, length: length), at: list.start, depth, writer)
    return true
  }

  /// Writes a list in pieces, apart from the text; returns false if the list must write itself.
  func write<Element: Encodable>(
    _ list: IdentifiedArray<Element>,
    to place: Place
  ) throws -> Bool {
    guard let depth = open(list.count, at: place) else { return false }
    isWithinList = true
    defer { isWithinList = false }
    let (writer, noted) = (place.writer, notes())
    let old = lastList(as: EncodedPieces<Element>.self, depth, writer)?.list
    var pieces = PieceWriter<Element>(place)
    // If an element closed the list, the second pass writes it again.
    guard let text = try pieces.write(list, after: old?.isCopied == true ? old : nil),
      let start = writer.buffer.closeEmpty(place)
    else { return true }
    copied += pieces.copied
    shared += text.count - pieces.made
    let isCopied = notes() == noted && !HeldObjects.mayBe(in: Element.self)
    add(EncodedPieces(list, text, isCopied: isCopied), at: start, depth, writer)
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

  /// Returns the list at the same position of the last text, and its text.
  ///
  /// A list with another element type or depth does not match: the depth limits the nesting within it.
  private func lastList<List: EncodedList>(
    as type: List.Type,
    _ depth: Int,
    _ writer: JSONWriter
  ) -> (list: List, text: ArraySlice<UInt8>)? {
    guard let last, written.count < last.lists.count else { return nil }
    let entry = last.lists[written.count]
    guard let list = entry.list as? List, entry.depth == depth else { return nil }
    // Copied elements do not report again that they differ from the store's text.
    if !entry.isAsStored { writer.isAsStored = false }
    return (list, last.text[entry.start..<entry.start + list.length])
  }

  private func add(_ list: any EncodedList, at start: Int, _ depth: Int, _ writer: JSONWriter) {
    written.append(
      Entry(start: start, list: list, depth: depth, isAsStored: writer.isAsStored)
    )
  }
}

/// An array of encodable elements, which may be copied.
protocol CopyableList: AnyArray {
  /// Writes the elements; returns false if the array must write itself.
  func encodeElements(to place: Place, _ lists: ListCopier) throws -> Bool
}

extension Array: CopyableList where Element: Encodable {
  func encodeElements(to place: Place, _ lists: ListCopier) throws -> Bool {
    try lists.write(self, to: place)
  }
}

/// A list with the positions of its elements in a text.
protocol EncodedList: AnyObject, Sendable {
  /// The number of bytes in the text of the elements and the commas between them.
  var length: Int { get }
  /// The elements' text, if it is stored apart from the enclosing text.
  var apart: ListText? { get }
}

final class EncodedElements<Element>: EncodedList, @unchecked Sendable {
  // Guard: the class is immutable, and the elements are part of a State, which is Sendable.
  let elements: [Element]
  /// The position of each element, counted from the first.
  let starts: [UInt32]
  let length: Int
  var apart: ListText? { nil }

  init(_ elements: [Element], _ starts: [UInt32], length: Int) {
    self.elements = elements
    self.starts = starts
    self.length = length
  }

  /// Returns the bytes of some elements, with the commas between them.
  func bytes(of range: Range<Int>) -> Range<Int> {
    let end = range.upperBound < starts.count ? Int(starts[range.upperBound]) - 1 : length
    return Int(starts[range.lowerBound])..<end
  }
}

/// A writer of one list's elements.
struct ListWriter<Element: Encodable> {
  /// The position of the first element in the text.
  let start: Int
  private(set) var starts: [UInt32] = []
  /// The number of bytes that were copied.
  private(set) var copied = 0
  private let elements: [Element]
  private let place: Place

  init(_ elements: [Element], to place: Place) {
    self.elements = elements
    self.place = place
    start = Self.next(in: place)
    starts.reserveCapacity(elements.count)
  }

  /// Returns the position of the next element, after a comma unless it is the first.
  private static func next(in place: Place) -> Int {
    // Counting closes the previous element, so it must come first.
    let comma = place.writer.buffer.count(of: place) > 0 ? 1 : 0
    return place.writer.buffer.bytes.count + comma
  }

  /// Writes the list, copying the elements that an older list contains, too.
  mutating func write(
    copying old: EncodedElements<Element>?,
    from text: ArraySlice<UInt8>,
    by layout: BitLayout?
  ) throws {
    guard let old, let layout else { return try write(0..<elements.count) }
    let runs = elements.withUnsafeBytes { new in
      old.elements.withUnsafeBytes { layout.runs(of: new, in: $0) }
    }
    var next = 0
    for run in runs {
      try write(next..<run.range.lowerBound)
      copy(run.old..<run.old + run.range.count, of: old, from: text)
      next = run.range.upperBound
    }
    try write(next..<elements.count)
  }

  /// Encodes some elements.
  private mutating func write(_ range: Range<Int>) throws {
    let array = UnkeyedPlaceEncoder(array: place)
    for index in range {
      starts.append(UInt32(truncatingIfNeeded: Self.next(in: place) - start))
      try array.encode(elements[index])
    }
  }

  private mutating func copy(
    _ range: Range<Int>,
    of old: EncodedElements<Element>,
    from text: ArraySlice<UInt8>
  ) {
    let first = Int(old.starts[range.lowerBound])
    let new = Self.next(in: place) - start
    for old in old.starts[range] {
      starts.append(UInt32(truncatingIfNeeded: Int(old) - first + new))
    }
    let bytes = old.bytes(of: range)
    copied += bytes.count
    place.writer.buffer.append(
      text[text.startIndex + bytes.lowerBound..<text.startIndex + bytes.upperBound],
      of: range.count,
      to: place
    )
  }
}
