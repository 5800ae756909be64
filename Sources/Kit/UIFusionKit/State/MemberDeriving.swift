/// A State, or a struct within it, with members that are derived from the stored ones: clients get them, and
/// the store does not.
///
/// Derived members appear next to the stored ones in snapshots, pages and schemas. Their names must differ
/// from those of the stored members, or a service that hosts the State does not start. Their values must
/// depend on the stored members only.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable, MemberDeriving {
///   var prices: [Int] = []
///
///   struct Derived: Codable { var total: Int }
///   var derived: Derived { Derived(total: prices.reduce(0, +)) }
/// }
/// ```
public protocol MemberDeriving {
  /// The derived members, as a struct.
  associatedtype Derived: Codable

  /// The values of the derived members.
  var derived: Derived { get }
}
