/// The long lists of a value as it was written last, and its text: elements that come again are copied from
/// there, and not asked for their own.
///
/// Only such elements are, whose bits say all there is of them (``BitLayout``): so what is copied is what would
/// be written, as long as a type writes the same for the same value. From which list does not matter for that.
package final class WrittenLists: Sendable {
  fileprivate let text: [UInt8]
  fileprivate let lists: [ListMemory.Entry]
  /// How many bytes of the text were copied.
  package let copied: Int

  fileprivate init(_ text: [UInt8], _ lists: [ListMemory.Entry], copied: Int) {
    self.text = text
    self.lists = lists
    self.copied = copied
  }

  /// Lists with fewer elements are written anew.
  static let least = 32
}

/// What is known of lists while a value is written: of the one before, and of this one so far.
final class ListMemory {
  fileprivate struct Entry: Sendable {
    /// Where the first element begins in the text.
    var start: Int
    let list: any PlacedList
  }

  private let last: WrittenLists?
  /// What types note beside the text as they are written: a list at which anything is noted is not copied.
  private let notes: () -> UInt64
  private var written: [Entry] = []
  private var copied = 0
  private var isWithinList = false

  init(_ last: WrittenLists?, notes: @escaping () -> UInt64) {
    self.last = last
    self.notes = notes
  }

  /// Nil where there is nothing to be copied.
  func lists(in text: [UInt8]) -> WrittenLists? {
    written.isEmpty || text.count > UInt32.max ? nil : WrittenLists(text, written, copied: copied)
  }

  // MARK: Text that changes behind them

  /// The text is taken back from there on.
  func forget(from offset: Int) {
    while let last = written.last, last.start + last.list.length > offset { written.removeLast() }
  }

  /// Some bytes are taken out in front of what was written from there on.
  func close(gap: Int, from offset: Int) {
    for index in written.indices.reversed() {
      guard written[index].start > offset else { return }
      written[index].start -= gap
    }
  }

  // MARK: Writing

  /// Writes a list; false where its own coding has to.
  func write<Element: Encodable>(_ elements: [Element], to place: Place) throws -> Bool {
    guard !isWithinList, elements.count >= WrittenLists.least,
      let layout = BitLayout.of(Element.self)
    else { return false }
    let writer = place.writer
    writer.draft.open(.array, at: place)
    guard writer.draft.enter(place), !writer.draft.isMisused else { return false }
    isWithinList = true
    defer { isWithinList = false }
    let noted = notes()
    let depth = writer.draft.frames[place.index].depth
    var list = NewList(elements, to: place)
    let (old, text) = lastList(of: Element.self, depth)
    try list.write(copying: old, from: text, by: layout)
    // Where an element has closed the list, all is written once more.
    guard notes() == noted, writer.draft.enter(place) else { return true }
    copied += list.copied
    let length = writer.draft.bytes.count - list.start
    let entry = PlacedElements(elements, list.starts, length: length, depth: depth)
    written.append(Entry(start: list.start, list: entry))
    return true
  }

  /// The list that stood here, and its text; nil where it was another one, or nested less deep.
  private func lastList<Element>(
    of type: Element.Type,
    _ depth: Int
  ) -> (PlacedElements<Element>?, ArraySlice<UInt8>) {
    guard let last, written.count < last.lists.count else { return (nil, []) }
    let entry = last.lists[written.count]
    guard let list = entry.list as? PlacedElements<Element>, list.depth == depth else {
      return (nil, [])
    }
    return (list, last.text[entry.start..<entry.start + list.length])
  }
}

/// An array, whose elements may be copied.
protocol LongList {
  /// False where nothing was done: its own coding has to.
  func encodeElements(to place: Place, _ lists: ListMemory) throws -> Bool
}

extension Array: LongList where Element: Encodable {
  func encodeElements(to place: Place, _ lists: ListMemory) throws -> Bool {
    try lists.write(self, to: place)
  }
}

/// A list whose elements have their places in a text.
private protocol PlacedList: AnyObject, Sendable {
  /// How many bytes the elements take, the commas between them included.
  var length: Int { get }
}

private final class PlacedElements<Element>: PlacedList, @unchecked Sendable {
  // Guard: nothing in it changes, and it is a part of a State, which is Sendable.
  let elements: [Element]
  /// Where each begins, counted from the first.
  let starts: [UInt32]
  let length: Int
  /// How deep the array is nested, on which depends how deep its elements may be.
  let depth: Int

  init(_ elements: [Element], _ starts: [UInt32], length: Int, depth: Int) {
    self.elements = elements
    self.starts = starts
    self.length = length
    self.depth = depth
  }

  /// Where some of them are, the commas between them included.
  func place(of range: Range<Int>) -> Range<Int> {
    let end = range.upperBound < starts.count ? Int(starts[range.upperBound]) - 1 : length
    return Int(starts[range.lowerBound])..<end
  }
}

/// A list that is being written.
private struct NewList<Element: Encodable> {
  /// Where the first element begins in the text.
  let start: Int
  private(set) var starts: [UInt32] = []
  /// How many bytes were copied.
  private(set) var copied = 0
  private let elements: [Element]
  private let place: Place

  init(_ elements: [Element], to place: Place) {
    self.elements = elements
    self.place = place
    start = Self.next(in: place)
    starts.reserveCapacity(elements.count)
  }

  /// Where the next element begins: behind the comma, if there is an element before it.
  private static func next(in place: Place) -> Int {
    // Asked for first, which ends the element before it.
    let comma = place.writer.draft.count(of: place) > 0 ? 1 : 0
    return place.writer.draft.bytes.count + comma
  }

  mutating func write(
    copying old: PlacedElements<Element>?,
    from text: ArraySlice<UInt8>,
    by layout: BitLayout
  ) throws {
    guard let old else { return try write(0..<elements.count) }
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

  /// Has elements write themselves.
  private mutating func write(_ range: Range<Int>) throws {
    let array = UnkeyedPlaceEncoder(array: place)
    for index in range {
      starts.append(UInt32(truncatingIfNeeded: Self.next(in: place) - start))
      try array.encode(elements[index])
    }
  }

  private mutating func copy(
    _ range: Range<Int>,
    of old: PlacedElements<Element>,
    from text: ArraySlice<UInt8>
  ) {
    let first = Int(old.starts[range.lowerBound])
    let new = Self.next(in: place) - start
    for old in old.starts[range] {
      starts.append(UInt32(truncatingIfNeeded: Int(old) - first + new))
    }
    let bytes = old.place(of: range)
    copied += bytes.count
    place.writer.draft.append(
      text[text.startIndex + bytes.lowerBound..<text.startIndex + bytes.upperBound],
      of: range.count,
      to: place
    )
  }
}
