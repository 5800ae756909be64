import FusionSessions
import Testing

@testable import FusionPostgreSQLSessions

struct `A PostgreSQL error` {
  private func refusal(_ state: String) -> PostgreSQLError {
    PostgreSQLError(kind: .refused(sqlState: state), text: "no")
  }

  /// The server has become a standby, or is stopping.
  @Test(arguments: ["25006", "57P01", "08006"])
  func `ends the connection if the server accepts no more changes`(state: String) {
    #expect(refusal(state).endsConnection && !refusal(state).isCollision)
  }

  @Test(arguments: ["40001", "40P01"])
  func `is retried if two transactions collided`(state: String) {
    #expect(refusal(state).isCollision && !refusal(state).endsConnection)
  }

  @Test(arguments: ["40003", "08007"])
  func `leaves a change in doubt if the server does not know its outcome`(state: String) {
    #expect(refusal(state).storeError(ofChange: true) == .inDoubt)
    #expect(refusal(state).storeError(ofChange: false) == .unreachable("no (SQLSTATE \(state))"))
  }
}
