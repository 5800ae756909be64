import Dispatch
import FusionSessions

/// A thread with a connection of its own, which it makes anew where it has ended.
final class ConnectionWorker: @unchecked Sendable {
  // Guard: `queue`, on which alone `run` is called.
  private var connection: Connection?
  private var refusal: (error: PostgreSQLError, until: ContinuousClock.Instant)?
  let queue: DispatchQueue
  private let connect: @Sendable () throws(PostgreSQLError) -> Connection
  private let health: Health

  /// How long nothing is asked of a server that could not be reached.
  private static let pause = Duration.milliseconds(500)
  private static let attempts = 5

  init(
    _ name: String,
    _ connection: Connection? = nil,
    health: Health,
    connect: @escaping @Sendable () throws(PostgreSQLError) -> Connection
  ) {
    queue = DispatchQueue(label: "postgresql-\(name)", qos: .userInitiated)
    self.connection = connection
    self.health = health
    self.connect = connect
  }

  /// Calls what asks the server, and again where others were in its way.
  func run<Found>(
    _ body: (Connection) throws(PostgreSQLError) -> Found
  ) throws(PostgreSQLError) -> Found {
    var attempts = 0
    while true {
      let connection = try connected()
      do throws(PostgreSQLError) {
        return try body(connection)
      } catch {
        attempts += 1
        if error.endsConnection || connection.isSpent { self.connection = nil }
        if error.endsConnection { health.failed(error) }
        // Nothing was sent: a server that has started again is there at once.
        let isStale = if case .unreachable = error.kind { attempts == 1 } else { false }
        guard error.isCollision && attempts < Self.attempts || isStale else { throw error }
      }
    }
  }

  /// The same, for what only reads, or where nobody needs to know whether a change stands.
  func result<Found>(
    _ body: (Connection) throws(PostgreSQLError) -> Found
  ) -> Result<Found, StoreError> {
    do throws(PostgreSQLError) {
      return .success(try run(body))
    } catch {
      return .failure(error.storeError(ofChange: false))
    }
  }

  /// A change stands.
  func stood() { health.stood() }

  func close() {
    connection = nil
  }

  private func connected() throws(PostgreSQLError) -> Connection {
    if let connection, !connection.isSpent { return connection }
    connection = nil
    if let refusal, .now < refusal.until { throw refusal.error }
    do throws(PostgreSQLError) {
      let connection = try connect()
      self.connection = connection
      refusal = nil
      return connection
    } catch {
      refusal = (error, .now + Self.pause)
      health.failed(error)
      throw error
    }
  }
}
