import CFusionPostgreSQL
import FusionSessions

/// A statement's rows in PostgreSQL's binary format; rows and columns count from 0.
@safe final class Rows {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) {
    unsafe self.result = result
  }

  deinit {
    unsafe PQclear(result)
  }

  var count: Int { unsafe Int(PQntuples(result)) }

  var indices: Range<Int> { 0..<count }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    unsafe PQgetisnull(result, Int32(row), Int32(column)) == 1
  }

  func bytes(_ row: Int, _ column: Int) -> [UInt8] {
    let count = unsafe Int(PQgetlength(result, Int32(row), Int32(column)))
    let start = unsafe PQgetvalue(result, Int32(row), Int32(column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Returns a `bigint` or a shorter integer.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    let first: Int64 = bytes.first.map { $0 & 0x80 == 0 ? 0 : -1 } ?? 0
    return bytes.reduce(first) { $0 << 8 | Int64($1) }
  }

  func int(_ row: Int, _ column: Int) -> Int { Int(integer(row, column)) }

  func bool(_ row: Int, _ column: Int) -> Bool { bytes(row, column) == [1] }

  func text(_ row: Int, _ column: Int) -> String {
    String(decoding: bytes(row, column), as: UTF8.self)
  }

  /// Returns the text of a `bytea`; nil for NULL.
  func optionalText(_ row: Int, _ column: Int) -> String? {
    isNull(row, column) ? nil : text(row, column)
  }

  func time(_ row: Int, _ column: Int) -> WallTime {
    WallTime(microsecondsOfPostgreSQL: integer(row, column))
  }

  func names(_ row: Int, _ column: Int) throws(PostgreSQLError) -> [String] {
    guard let names = NameList.names(bytes(row, column)) else {
      throw .damaged("a list of names cannot be read")
    }
    return names
  }

  /// Returns the node whose number, name and address begin at a column; nil if the number is NULL.
  func node(_ row: Int, from first: Int) -> Node? {
    guard !isNull(row, first) else { return nil }
    return Node(integer(row, first), name: text(row, first + 1), address: text(row, first + 2))
  }

  func id(_ row: Int, _ column: Int) throws(PostgreSQLError) -> SessionID {
    guard let id = SessionID(bytes: bytes(row, column)) else {
      throw .damaged("an id has not 16 bytes")
    }
    return id
  }
}

extension Rows {
  /// The reason why the server refused the statement; nil if it did not.
  var refusal: PostgreSQLError? {
    switch unsafe PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return nil
    default:
      let state = unsafe DiagnosticField.sqlState.text(in: result)
      let text = unsafe DiagnosticField.message.text(in: result) ?? "no reason was given"
      // Without a code the text is libpq's: the connection has ended.
      return PostgreSQLError(kind: state.map { .refused(sqlState: $0) } ?? .lost, text: text)
    }
  }
}

/// A field of an error or a notice; postgres_ext.h defines the codes as macros that Swift does not import (PG_DIAG_…).
enum DiagnosticField: Unicode.Scalar {
  case severity = "V"
  case sqlState = "C"
  case message = "M"
  case sourceFunction = "R"

  func text(in result: OpaquePointer?) -> String? {
    unsafe PQresultErrorField(result, Int32(rawValue.value)).map { unsafe String(cString: $0) }
  }
}
