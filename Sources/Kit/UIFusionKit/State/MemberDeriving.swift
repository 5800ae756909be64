/// A State, or a struct in it, with members that clients get and the store does not: they follow from the others.
///
/// Derived members stand beside the stored ones in snapshots, pages and schemas. Their names differ from those
/// of the stored members, or a service that hosts the State does not start. Their values depend on the stored
/// members alone.
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
  /// A struct of the derived members.
  associatedtype Derived: Codable

  /// The derived members.
  var derived: Derived { get }
}
