/// What tells a lease from all others.
///
/// A server that takes another's place, or that was restored, may give a number again that only leases had of which
/// it has never heard.
struct LeaseID: Equatable {
  var number: Int64
  /// When it was begun, in microseconds by the clock of the server that was asked.
  var begun: Int64

  /// The same in SQL, of a row of `node`.
  static let begun = "(extract(epoch FROM node.joined) * 1000000)::bigint"
}
