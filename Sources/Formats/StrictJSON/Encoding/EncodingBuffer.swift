/// The text of one value while it is written, and what of it is open.
///
/// The usual type fills one container after another and comes back only to those around it. For
/// that there is one buffer and a stack of frames: writing to a place closes everything deeper, and
/// no tree is built. Codable also allows to go back to a container that was left for its sibling.
/// Such a write finds its place closed; then the value is encoded once more, each container into a
/// segment of its own (`EncodingBuffer+Segments`), which takes any order.
///
/// A struct, so that the writer's class checks for exclusive access once for each of these verbs.
struct EncodingBuffer {
  /// What the parser would refuse is not written either.
  static let maximalDepth = JSONParser.maximalDepth

  var bytes: [UInt8]
  var frames: [Frame] = []
  var segments: [Segment]?
  var current = 0
  private var lastSerial = 0
  /// Some write came to a place that was closed already, so the text is not what the value means.
  var isInterleaved = false
  /// Why the text would be no JSON: two values in one place, or nesting too deep.
  var misuse: EncodingError? {
    didSet { isMisused = misuse != nil }
  }
  /// Whether there is one: asked for each value, and cheaper than the error itself.
  private(set) var isMisused = false
  /// What is known of lists that were written before; nil where nobody wants to know.
  var lists: ListMemory?

  init(after bytes: [UInt8], lists: ListMemory? = nil) {
    self.bytes = bytes
    self.lists = lists
    frames.reserveCapacity(4)
  }

  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
    lists?.forget(from: count)
  }

  @inline(__always)
  mutating func push(
    _ label: Frame.Label,
    in parent: Int?,
    isNested: Bool
  ) -> (index: Int, serial: Int) {
    lastSerial += 1
    let depth = parent.map { frames[$0].depth + 1 } ?? 0
    frames.append(
      Frame(serial: lastSerial, parent: parent, depth: depth, label: label, isNested: isNested)
    )
    if segments != nil { addSegment(in: parent) }
    return (frames.count - 1, lastSerial)
  }

  /// Makes the end of the place's text the end of the buffer; false if other text follows it
  /// already.
  mutating func enter(_ place: Place) -> Bool {
    guard place.index < frames.count, frames[place.index].serial == place.serial else {
      if segments == nil {
        isInterleaved = true
      } else {
        let reason = "a container of an earlier encoding"
        misuse = misuse ?? .invalid(reason, reason, at: [])
      }
      return false
    }
    if segments == nil {
      close(downTo: place.index + 1)
    } else {
      select(place.index)
    }
    return true
  }

  /// Begins the object or array of a place, or goes on with the one that it has.
  mutating func open(_ filling: Frame.Filling, at place: Place) {
    guard enter(place) else { return }
    let found = frames[place.index].filling
    guard found != filling else { return }
    guard found == .nothing else { return refuse(place, "two values in one place") }
    guard frames[place.index].depth < Self.maximalDepth else {
      return refuse(place, "nested deeper than \(Self.maximalDepth) levels")
    }
    frames[place.index].filling = filling
    bytes.append(filling == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Writes a scalar; false if the place cannot take one.
  mutating func writeScalar(at place: Place, _ append: (inout [UInt8]) -> Void) -> Bool {
    guard enter(place) else { return false }
    guard frames[place.index].filling == .nothing else {
      refuse(place, "two values in one place")
      return false
    }
    frames[place.index].filling = .scalar
    append(&bytes)
    return true
  }

  mutating func writeMember(
    _ name: String,
    of object: Place,
    _ append: (inout [UInt8]) -> Void
  ) -> Bool {
    guard beginMember(name, of: object) != nil else { return false }
    append(&bytes)
    return true
  }

  /// Writes what comes before a member's value; nil if the object is closed.
  mutating func beginMember(_ name: String, of object: Place) -> Mark? {
    guard let mark = beginElement(of: object) else { return nil }
    bytes.appendLiteral(name)
    bytes.append(UInt8(ascii: ":"))
    return mark
  }

  mutating func beginElement(of array: Place) -> Mark? {
    guard enter(array) else { return nil }
    let mark = Mark(
      bytes: bytes.count,
      count: frames[array.index].count,
      segments: segments?[array.index].inner.count ?? 0
    )
    if mark.count > 0 { bytes.append(UInt8(ascii: ",")) }
    frames[array.index].count = mark.count + 1
    return mark
  }

  /// Appends the text of several elements, unless the array is closed.
  mutating func append(_ text: ArraySlice<UInt8>, of elements: Int, to array: Place) {
    guard beginElement(of: array) != nil else { return }
    frames[array.index].count += elements - 1
    bytes.append(contentsOf: text)
  }

  /// Takes back a member or an element whose value threw, since the type may go on without it.
  mutating func rollBack(_ container: Place, to mark: Mark) {
    guard enter(container) else { return }
    truncate(to: mark.bytes)
    frames[container.index].count = mark.count
    segments?[container.index].inner.removeSubrange(mark.segments...)
  }

  mutating func count(of place: Place) -> Int {
    enter(place) ? frames[place.index].count : 0
  }

  @inline(__always)
  mutating func close(downTo count: Int) {
    while frames.count > count { bytes.appendEnd(of: frames.removeLast().filling) }
  }

  private mutating func refuse(_ place: Place, _ reason: String) {
    misuse = misuse ?? .invalid(reason, reason, at: path(of: place.index))
  }
}
