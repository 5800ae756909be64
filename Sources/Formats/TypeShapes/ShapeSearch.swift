package import FusionStrictJSON
import Synchronization

/// A search for the shapes of types, by ``Trial``: where those run in child processes, the shapes come from there.
///
/// Each type is searched once in the life of a process.
package final class ShapeSearch: Sendable {
  private static let known = Mutex<[ObjectIdentifier: TypeShape]>([:])
  /// Held while children run, so that whoever needs a shape waits for it.
  private static let turn = Mutex(())

  nonisolated(unsafe) private let types: [any Decodable.Type]
  // Guard: types are immutable.

  private let child: Trial.Finish?

  /// Starts to search types; the shapes are there after ``finish()``.
  package init(_ types: [any Decodable.Type]) {
    unsafe self.types = types
    let wanted = Self.unknown(types)
    child = wanted.isEmpty || Trial.isHere ? nil : Trial.start { Self.report(wanted) }
  }

  /// Ends the search; returns the names of the types that ended a trial, in order.
  package func finish() -> [String] {
    let types = unsafe types
    Self.turn.withLock { _ in Self.search(types, after: child) }
    return Set(types.flatMap { Self.known(as: $0)?.refused ?? [] }).sorted()
  }

  static func shape(of type: any Decodable.Type) -> TypeShape {
    if let shape = known(as: type) { return shape }
    turn.withLock { _ in search([type], after: nil) }
    return known(as: type) ?? .unknown
  }

  private static func known(as type: any Decodable.Type) -> TypeShape? {
    known.withLock { $0[ObjectIdentifier(type)] }
  }

  private static func unknown(_ types: [any Decodable.Type]) -> [any Decodable.Type] {
    let known = Set(known.withLock { $0.keys })
    return types.filter { !known.contains(ObjectIdentifier($0)) }
  }

  private static func search(_ types: [any Decodable.Type], after child: Trial.Finish?) {
    func report() { Self.report(unknown(types)) }
    // A child that has started has to be waited for.
    if child != nil || !unknown(types).isEmpty {
      Trial.run(report, after: child) { line in
        guard let record = try? StrictJSON.decode(Record.self, from: Array(line.utf8)),
          let type = types.first(where: { _typeName($0) == record.type })
        else { return }
        known.withLock { $0[ObjectIdentifier(type)] = record.shape }
      }
    }
    for type in unknown(types) {
      let shape =
        Trial.isHere
        ? TypeShape(probing: type)
        : TypeShape(root: .any, definitions: [], samples: [], refused: ["\(type)"])
      known.withLock { $0[ObjectIdentifier(type)] = shape }
    }
  }

  private static func report(_ types: [any Decodable.Type]) {
    for type in types {
      Trial.running(type) {
        let record = Record(type: _typeName(type), shape: TypeShape(probing: type))
        guard let text = try? StrictJSON.encode(record) else { return }
        Trial.report(String(decoding: text, as: UTF8.self))
      }
    }
  }

  /// A shape as a child reports it.
  private struct Record: Codable {
    let type: String
    let shape: TypeShape
  }
}

extension TypeShape {
  /// Finds a type's shape, or takes it from the search that has found it.
  package init(of type: Any.Type) {
    self = (type as? any Decodable.Type).map(ShapeSearch.shape) ?? .unknown
  }
}

/// Coded as its text.
extension JSONTree: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    try self.init(JSONDocument(Array(text.utf8)).root)
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}
