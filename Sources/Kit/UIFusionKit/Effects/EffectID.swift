/// What an effect is known by, so that it can be cancelled, replaced or kept.
///
/// Any value that can be hashed and sent will do; a small enum of the view model's own reads best. Two
/// ids are the same when their values are equal and of one type.
public struct EffectID: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  /// An id made of any value.
  public init(_ value: some Hashable & Sendable) {
    self.value = (value as? EffectID)?.value ?? value
  }

  /// Its type and value, as far as Swift prints them: the same in the next process.
  ///
  /// Private types of one name in one module are not told apart.
  package var storedName: String {
    withoutAddresses("\(String(reflecting: type(of: value))).\(value)")
  }

  /// How Swift prints the value.
  public var description: String { String(describing: value) }

  /// Whether both are of one type and equal.
  public static func == (a: EffectID, b: EffectID) -> Bool {
    // By itself, Swift takes equal numbers of different types for the same.
    type(of: a.value) == type(of: b.value) && AnyHashable(a.value) == AnyHashable(b.value)
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    AnyHashable(value).hash(into: &hasher)
  }
}

/// What Swift prints, less what it puts in place of a private type's file or a function: an address,
/// which is another one in each process.
private func withoutAddresses(_ name: String) -> String {
  let start = "(unknown context at $"
  var name = Substring(name)
  var kept = ""
  while let place = name.firstRange(of: start) {
    let end = name[place.upperBound...].firstRange(of: ").")?.upperBound
    kept += name[..<place.lowerBound]
    name = end.map { name[$0...] } ?? ""
  }
  return kept + name
}
