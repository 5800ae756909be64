/// A check whether an enum has synthesized coding: an object with a single member, which is named by the case
/// and holds the values by their labels.
///
/// The check is a ``Trial``: it runs the enum's `init(from:)` once for each case and notes which containers it
/// requests. An enum that requests anything else, or ends the trial, keeps its own coding.
final class CaseProbe {
  /// An error thrown in place of any value.
  private struct Refusal: Error {}

  private enum Step {
    case start, container, allKeys, values, other
  }

  private let index: Int
  private var step = Step.start
  /// The number of cases, equal to the number of keys.
  private var count = 0

  private init(index: Int) { self.index = index }

  /// Returns whether the enum decodes each case like synthesized code.
  static func isReadByCases(_ type: any Decodable.Type) -> Bool {
    Trial.verdict(on: type) { passes(type) }
  }

  private static func passes(_ type: any Decodable.Type) -> Bool {
    var index = 0
    repeat {
      let probe = CaseProbe(index: index)
      guard probe.run(type) else { return false }
      index += 1
      if index >= probe.count { return true }
    } while true
  }

  private func run<T: Decodable>(_ type: T.Type) -> Bool {
    do {
      _ = try T(from: CaseProbeDecoder(probe: self))
      return false
    } catch {
      return error is Refusal && step == .values
    }
  }

  fileprivate func containerOf<Key: CodingKey>(_ type: Key.Type) throws -> CaseProbeMembers<Key> {
    let keys = EnumCases.all(of: type) ?? []
    guard step == .start, keys.indices.contains(index) else { throw refusal() }
    step = .container
    count = keys.count
    return CaseProbeMembers(probe: self, key: keys[index])
  }

  fileprivate func allKeysAsked() { step = step == .container ? .allKeys : .other }

  fileprivate func valuesAsked(isCase: Bool) -> any Error {
    step = step == .allKeys && isCase ? .values : .other
    return Refusal()
  }

  /// Notes a request that synthesized code would not make, and returns the error to throw.
  fileprivate func refusal() -> any Error {
    step = .other
    return Refusal()
  }
}

private struct CaseProbeDecoder: Decoder {
  let probe: CaseProbe

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try probe.containerOf(type))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw probe.refusal() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw probe.refusal() }
}

private struct CaseProbeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: CaseProbe
  let key: Key

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    probe.allKeysAsked()
    return [key]
  }

  func contains(_ key: Key) -> Bool {
    _ = probe.refusal()
    return key.stringValue == self.key.stringValue
  }

  func decodeNil(forKey key: Key) throws -> Bool { throw probe.refusal() }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { throw probe.refusal() }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw probe.valuesAsked(isCase: key.stringValue == self.key.stringValue)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw probe.refusal()
  }

  func superDecoder() throws -> any Decoder { throw probe.refusal() }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw probe.refusal() }
}
