import CFusionPostgreSQL
import Glibc

/// The settings of a connection: those of a connection string, else of PostgreSQL's environment variables, else
/// those that a service needs.
struct ConnectionSettings: Sendable, CustomStringConvertible {
  /// The values by libpq's keywords
  /// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS).
  private(set) var values: [String: String] = [:]

  /// The defaults: a silent server is noticed within seconds, and of several hosts the primary is chosen.
  private static let defaults = [
    "application_name": "uifusion", "client_encoding": "UTF8", "connect_timeout": "3",
    "keepalives_count": "3", "keepalives_idle": "5", "keepalives_interval": "2",
    "target_session_attrs": "read-write", "tcp_user_timeout": "8000",
  ]

  static let schemes = ["postgres://", "postgresql://"]

  /// Reads a connection string; errors repeat nothing of it, as it may have a password.
  ///
  /// For reading only, any server will do unless the string or the environment says which.
  init(_ text: String, onlyToRead: Bool = false) throws(PostgreSQLOpenError) {
    // libpq knows the schemes in lowercase only.
    let scheme = Self.schemes.first { text.lowercased().hasPrefix($0) }
    let text = scheme.map { $0 + text.dropFirst($0.count) } ?? text
    guard let options = unsafe PQconninfoParse(text, nil) else {
      throw .malformed(Self.unknownParameter(in: text).map(Self.unknown) ?? Self.syntax)
    }
    defer { unsafe PQconninfoFree(options) }
    var defaults = Self.defaults
    if onlyToRead { defaults["target_session_attrs"] = "any" }
    var place = unsafe options
    while let keyword = unsafe place.pointee.keyword {
      let name = unsafe String(cString: keyword)
      if let value = unsafe place.pointee.val {
        values[name] = unsafe String(cString: value)
      } else if let value = defaults[name],
        unsafe place.pointee.envvar.map({ unsafe getenv($0) }) ?? nil == nil
      {
        values[name] = value
      }
      unsafe place += 1
    }
    // libpq takes part of an unescaped password for the host or the database, which errors would show.
    if ["host", "dbname"].contains(where: { values[$0]?.contains("@") == true }) {
      throw .malformed(
        "write @ in a password as %40, and / as %2F; a database has no @ in its name"
      )
    }
    if values["host"]?.contains(where: \.isWhitespace) == true {
      throw .malformed("there is white space in the name of a host")
    }
    let ports = (values["port"] ?? "").split(separator: ",")
    guard ports.allSatisfy({ UInt16($0) != nil }) else {
      throw .malformed("a port is no number: write / in a password as %2F, and ? as %3F")
    }
  }

  /// The settings with which any server will do.
  var ofAnyServer: ConnectionSettings {
    var settings = self
    settings.values["target_session_attrs"] = "any"
    return settings
  }

  private static let syntax =
    "it has to look like postgres://user@host:5432/database, with what is special in a part as %XX"

  private static func unknown(_ name: String) -> String {
    "it has the parameter \(name), which PostgreSQL does not know"
  }

  /// Returns the first parameter after `?` that libpq does not know; nil also if it may be part of a password.
  private static func unknownParameter(in text: String) -> String? {
    let parts = text.split(separator: "?", maxSplits: 1)
    guard parts.count == 2, !parts[1].contains("@"), let options = unsafe PQconndefaults() else {
      return nil
    }
    defer { unsafe PQconninfoFree(options) }
    var known: Set = ["ssl"]
    var place = unsafe options
    while let keyword = unsafe place.pointee.keyword {
      known.insert(unsafe String(cString: keyword))
      unsafe place += 1
    }
    let names = parts[1].split(separator: "&").map { String($0.prefix { $0 != "=" }) }
    return names.first { !known.contains($0) && !$0.contains("%") }
  }

  /// The address without the password.
  var description: String {
    let user = values["user"].map { "\($0)@" } ?? ""
    let hosts = (values["host"] ?? values["hostaddr"] ?? "").split(
      separator: ",",
      omittingEmptySubsequences: false
    )
    let ports = (values["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let places = hosts.indices.map { place in
      let host = hosts[place].contains(":") ? "[\(hosts[place])]" : String(hosts[place])
      let port = ports.indices.contains(place) ? ports[place] : ports.last ?? ""
      return port.isEmpty ? host : "\(host):\(port)"
    }
    let database = values["dbname"].map { "/\($0)" } ?? ""
    return "postgres://\(user)\(places.joined(separator: ","))\(database)"
  }
}
