import Dispatch
import FusionSessions

/// A serial queue with a connection of its own, which is replaced when it has ended.
final class ConnectionWorker: @unchecked Sendable {
  // Guard: `queue`, on which alone `run` is called, as `connected` asserts.
  private var connection: Connection?
  private var backoff: (error: PostgreSQLError, until: ContinuousClock.Instant)?
  let queue: DispatchQueue
  private let connect: @Sendable () throws(PostgreSQLError) -> Connection
  private let health: Health

  /// The pause after a failed attempt to connect, during which work fails at once.
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

  /// Runs statements, and repeats them after a collision with other transactions.
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
        // Nothing was sent, and a server that has restarted may answer at once.
        let isStale = if case .unreachable = error.kind { attempts == 1 } else { false }
        guard error.isCollision && attempts < Self.attempts || isStale else { throw error }
      }
    }
  }

  /// Runs statements like ``run(_:)``; for reads, and for changes that may be in doubt without harm.
  func result<Found>(
    _ body: (Connection) throws(PostgreSQLError) -> Found
  ) -> Result<Found, StoreError> {
    do throws(PostgreSQLError) {
      return .success(try run(body))
    } catch {
      return .failure(error.storeError(ofChange: false))
    }
  }

  /// Notes that a change is committed.
  func succeeded() { health.succeeded() }

  func close() {
    connection = nil
  }

  private func connected() throws(PostgreSQLError) -> Connection {
    #if DEBUG
      dispatchPrecondition(condition: .onQueue(queue))
    #endif
    if let connection, !connection.isSpent { return connection }
    connection = nil
    if let backoff, .now < backoff.until { throw backoff.error }
    do throws(PostgreSQLError) {
      let connection = try connect()
      self.connection = connection
      backoff = nil
      return connection
    } catch {
      backoff = (error, .now + Self.pause)
      health.failed(error)
      throw error
    }
  }
}
