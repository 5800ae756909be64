import FusionSessions
import Testing

@testable import FusionPostgreSQLSessions

struct `A refusal of PostgreSQL` {
  private func refusal(_ state: String) -> PostgreSQLError {
    PostgreSQLError(kind: .refused(sqlState: state), text: "no")
  }

  /// It has become a standby, or stops.
  @Test(arguments: ["25006", "57P01", "08006"])
  func `ends the connection where the server takes no more changes`(state: String) {
    #expect(refusal(state).endsConnection && !refusal(state).isCollision)
  }

  @Test(arguments: ["40001", "40P01"])
  func `is tried again where two were in each other's way`(state: String) {
    #expect(refusal(state).isCollision && !refusal(state).endsConnection)
  }

  @Test(arguments: ["40003", "08007"])
  func `leaves a change in doubt where the server does not know its end`(state: String) {
    #expect(refusal(state).storeError(ofChange: true) == .inDoubt)
    #expect(refusal(state).storeError(ofChange: false) == .unreachable("no (SQLSTATE \(state))"))
  }
}
