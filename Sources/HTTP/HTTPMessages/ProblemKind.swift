/// A row of the table of problems: the common properties of all problems with one name.
///
/// A row is declared together with its problem (``Problem/init(_:or:_:_:detail:meaning:advice:limit:)``).
package final class ProblemKind: Sendable {
  /// The stable name, part of the service's contract: `queue-full`.
  package let name: String
  package let title: String
  /// The possible statuses of a problem of this kind, the usual one first.
  package let statuses: [Int]
  /// The text of the problem's page: what has happened, and what to do about it.
  package let meaning: String
  package let advice: String
  /// The flag of the limit that was reached, such as `max-body`; nil if the cause is not a limit.
  package let limit: String?
  /// The URI reference that identifies the kind (RFC 9457 §3.1.1); for a row of the table it is the path of
  /// its page.
  package let type: String
  /// Whether the kind is outside the table: its type is then written unchanged.
  let isOwn: Bool

  init(
    _ name: String,
    _ title: String,
    statuses: [Int],
    meaning: String,
    advice: String,
    limit: String?
  ) {
    self.name = name
    self.title = title
    self.statuses = statuses
    self.meaning = meaning
    self.advice = advice
    self.limit = limit
    type = "/problems/" + name
    isOwn = false
  }

  /// Creates a kind outside the table.
  init(own type: String, _ title: String, _ status: Int) {
    name = type
    self.title = title
    statuses = [status]
    meaning = ""
    advice = ""
    limit = nil
    self.type = type
    isOwn = true
  }
}
