/// The id by which an effect is cancelled, replaced or kept.
///
/// Any value that is `Hashable` and `Sendable` will do; a small enum of the view model reads best. Two
/// ids are equal if their values are of the same type and equal.
public struct EffectID: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable
  /// The child view model that the effect belongs to; nil for an effect of the view model itself.
  private(set) var scope: EffectScope?

  /// Creates an id from any value.
  public init(_ value: some Hashable & Sendable) {
    self.value = (value as? EffectID)?.value ?? value
  }

  /// The type and value as Swift prints them, which the next process prints alike.
  ///
  /// Private types with the same name in one module are not distinguished.
  package var storedName: String {
    (scope.map { "\($0.name)/" } ?? "")
      + withoutAddresses("\(String(reflecting: type(of: value))).\(value)")
  }

  /// The value as Swift prints it, as the stored name of an alarm.
  var printed: String { (scope.map { "\($0.name)/" } ?? "") + String(describing: value) }

  /// The value as Swift prints it, after the members and identities that lead to its view model.
  public var description: String {
    (scope.map { readableEffectName("\($0.name)/") } ?? "") + String(describing: value)
  }

  /// Returns the id as that of a child's effect.
  func within(_ scope: EffectScope?) -> EffectID {
    var id = self
    id.scope = scope
    return id
  }

  /// Returns whether both values are of the same type and equal, and belong to the same view model; texts are compared
  /// by their bytes, like the names of alarms.
  public static func == (a: EffectID, b: EffectID) -> Bool {
    // `AnyHashable` treats equal numbers of different types as equal.
    guard type(of: a.value) == type(of: b.value), AnyHashable(a.value) == AnyHashable(b.value),
      a.scope == b.scope
    else { return false }
    guard let text = a.value as? String, let other = b.value as? String else { return true }
    return text.hasSameBytes(as: other)
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    AnyHashable(value).hash(into: &hasher)
    scope?.hash(into: &hasher)
  }
}

/// Returns a type's printed name without the address that Swift prints for a private context, since it
/// differs between processes.
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

/// Returns a stored name as people read it: without computed members, for which Swift prints their types alone.
package func readableEffectName(_ stored: String) -> String {
  let parts = stored.split(separator: "/", omittingEmptySubsequences: false)
  return parts.compactMap { part -> Substring? in
    guard let start = part.firstRange(of: "<computed (")?.lowerBound,
      let end = part[start...].firstRange(of: ")>")?.upperBound
    else { return part }
    let (members, identity) = (part[..<start].dropLast(), part[end...])
    if !members.isEmpty { return members + identity }
    return identity.isEmpty ? nil : identity.dropFirst().dropLast()
  }.joined(separator: "/")
}

/// The way an effect treats a running effect with the same id.
public enum EffectPolicy: Sendable, Equatable {
  /// Cancels the running effect and starts the new one.
  case replace
  /// Leaves the running effect alone and drops the new one.
  case keep
  /// Queues the new effect until the others end; drops it if `limit` effects are queued already.
  case queue(limit: Int)
}
