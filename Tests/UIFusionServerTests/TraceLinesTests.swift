import Synchronization
import Testing
import UIFusionKit

@testable import UIFusionServer

/// A value that reports each time it is encoded.
private protocol Noting: Encodable {
  var text: String { get }
}

private enum Notes {
  @TaskLocal static var note: @Sendable () -> Void = {}
}

extension Noting {
  func encode(to encoder: any Encoder) throws {
    Notes.note()
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}

private struct Lamp: ViewModelProtocol {
  enum Input: Noting {
    case on, off
    var text: String { "\(self)" }
  }
  enum Action: Noting {
    case light, darken
    var text: String { "\(self)" }
  }
  var state = 0
  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {}
}

private struct Dimmer: ViewModelProtocol {
  enum Input: Noting {
    case to(Int8)
    var text: String { "\(self)" }
  }
  enum Action: Noting {
    case set(String), clear
    var text: String { "\(self)" }
  }
  var state = 0
  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {}
}

private struct Mute: ViewModelProtocol {
  enum Input: Encodable { case speak }
  enum Action { case say, shout }
  var state = 0
  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {}
}

struct `Lines of a trace` {
  /// Returns the lines of the events, and the number of encodings.
  private func lines<Model: ViewModel>(
    of events: [TraceEvent<Model>]
  ) -> (lines: [String?], encodings: Int) where Model.Input: Encodable {
    let lines = TraceLines<Model>()
    let encodings = Atomic(0)
    return Notes.$note.withValue({ encodings.add(1, ordering: .relaxed) }) {
      let texts = events.map { event in
        lines.line(of: event).map { String(decoding: $0, as: UTF8.self) }
      }
      return (texts, encodings.load(ordering: .relaxed))
    }
  }

  @Test func `are encoded once for each value if a type has few`() {
    let events: [TraceEvent<Lamp>] = [
      .input(.on), .action(.light, isSent: false), .input(.off), .action(.darken, isSent: false),
    ]
    let (texts, encodings) = lines(of: events + events + events)
    let each = [
      #"{"input":"on"}"#, #"{"action":"light"}"#, #"{"input":"off"}"#, #"{"action":"darken"}"#,
    ]
    #expect(texts == each + each + each)
    #expect(encodings == 4)
  }

  @Test func `tell whether an effect has sent an action`() {
    let (texts, _) = lines(
      of: [
        .action(.light, isSent: false), .action(.light, isSent: true),
        .action(.light, isSent: false),
      ] as [TraceEvent<Lamp>]
    )
    let own = #"{"action":"light"}"#
    #expect(texts == [own, #"{"action":"light","sent":true}"#, own])
  }

  @Test(arguments: [
    (SessionAddress.named("main", of: "house", shared: true), "house main (shared)"),
    (.id("AAECAwQFBgcICQoLDA0ODw"), "AAECAw…"),
  ])
  func `name the followed session whose State an action is for, without giving access to it`(
    address: SessionAddress,
    name: String
  ) {
    let (texts, _) = SessionAddress.$followed.withValue(address) {
      lines(of: [.action(.light, isSent: true)] as [TraceEvent<Lamp>])
    }
    #expect(texts == [#"{"action":"light","sent":true,"followed":"\#(name)"}"#])
  }

  @Test func `are encoded each time for larger values`() {
    let events: [TraceEvent<Dimmer>] = [
      .action(.set("a"), isSent: false), .action(.set("b"), isSent: false),
      .action(.clear, isSent: false),
    ]
    let (texts, encodings) = lines(of: events + events)
    let each = [#"{"action":"set(\"a\")"}"#, #"{"action":"set(\"b\")"}"#, #"{"action":"clear"}"#]
    #expect(texts == each + each)
    #expect(encodings == 6)
  }

  @Test func `are kept for each value of one byte`() {
    let all = (Int8.min...Int8.max).map { TraceEvent<Dimmer>.input(.to($0)) }
    let (texts, encodings) = lines(of: all + all)
    let each = (Int8.min...Int8.max).map { #"{"input":"to(\#($0))"}"# }
    #expect(texts == each + each)
    #expect(encodings == 256)
  }

  @Test func `describe values that are not Encodable, and leave out State and effects`() {
    let (texts, _) = lines(
      of: [
        .action(.say, isSent: false), .action(.shout, isSent: false), .action(.say, isSent: false),
        .effect("x"), .state(1, from: 0, version: 2),
      ] as [TraceEvent<Mute>]
    )
    #expect(texts == [#"{"text":"say"}"#, #"{"text":"shout"}"#, #"{"text":"say"}"#, nil, nil])
  }
}
