import Synchronization
import Testing
import UIFusionKit

/// Counts how often elements were asked to encode themselves.
enum Asked {
  @TaskLocal static var count: Box?

  final class Box: Sendable {
    let value = Mutex(0)
  }

  static func note() { count?.value.withLock { $0 += 1 } }

  static func times<Text>(_ body: () throws -> Text) rethrows -> (Text, count: Int) {
    let box = Box()
    let text = try $count.withValue(box, operation: body)
    return (text, box.value.withLock { $0 })
  }
}

/// An element that records when it is asked to encode itself.
struct Element<Content: Encodable>: Encodable, Identifiable {
  var id = 0
  var content: Content

  func encode(to encoder: any Encoder) throws {
    Asked.note()
    var value = encoder.singleValueContainer()
    try value.encode(content)
  }
}

extension Element: Sendable where Content: Sendable {}

/// Returns elements with the ids from 0.
func elements<Content: Encodable>(_ contents: [Content]) -> IdentifiedArray<Element<Content>> {
  IdentifiedArray(contents.enumerated().map { Element(id: $0, content: $1) })
}

/// Returns how many of a hundred elements are asked when they are written again with one of them changed.
func asked<Content: Encodable>(_ content: Content, _ change: Content? = nil) throws -> Int {
  var elements = elements(Array(repeating: content, count: 100))
  var writer = ListWriter()
  _ = try writer.write(elements)
  if let change { elements[id: 50]?.content = change }
  let (text, count) = try Asked.times { try writer.write(elements) }
  #expect(try text == encoded(elements))
  return count
}
