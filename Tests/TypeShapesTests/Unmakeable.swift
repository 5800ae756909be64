import Foundation
import UIFusionKit

/// A type that refuses any value that is made up.
struct Ticket: Codable, Equatable, Sendable {
  var code: String
  enum CodingKeys: CodingKey { case code }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(String.self, forKey: .code)
    guard code.hasPrefix("T-") else {
      throw DecodingError.dataCorruptedError(forKey: .code, in: container, debugDescription: "no")
    }
  }

  init(code: String) { self.code = code }
}

struct Visit: Codable, Equatable, Sendable {
  enum CodingKeys: String, CodingKey {
    case name, ticket, seats, note, filter
    case row = "line"
  }
  var name: String
  var ticket: Ticket
  var seats: [Int]
  @Pulse var note: String?
  var filter: Filter?
  var row: Int
}

/// A type whose first member may be omitted and whose last is required.
struct Guest: Codable, Equatable, Sendable {
  var ticket: Ticket?
  var age: Int
}

final class Chain: Codable {
  let value: Int
  let rest: Chain?
}

enum Desk: Codable, Equatable, Sendable {
  case open
  case admit(Ticket)
  case move(from: Int, Ticket, to: Int)
  case follow(URL)
  case wait(seconds: Int, Ticket?)
}

struct Bookmark: Codable, Equatable, Sendable {
  var title: String
  var link: URL
  var isRead: Bool
  var added: Date
  var length: Duration?
}
