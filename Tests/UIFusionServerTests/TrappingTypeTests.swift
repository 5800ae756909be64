import Foundation
import FusionRawHTTP
import Testing
import UIFusionKit

@testable import UIFusionServer

/// A view model that holds a value of any type beside a plain one.
struct Holder<Part: Codable & Equatable & Sendable>: ViewModelProtocol {
  enum Input: Codable, Sendable { case part(Part), add(by: Int) }
  typealias Action = Input

  struct State: Codable, Equatable, Sendable {
    var part: Part?
    var sum = 0
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    switch action {
    case .part(let part): state.part = part
    case .add(let number): state.sum += number
    }
  }
}

/// A name, and the function that hosts a view model with such a type.
struct Sample: CustomTestStringConvertible, Sendable {
  let name: String
  let host: @Sendable (inout ViewModelCatalog) -> Void
  var testDescription: String { name }

  init<Part: Codable & Equatable & Sendable>(_ name: String, _ type: Part.Type) {
    self.name = name
    host = { $0.host("holder", summary: "") { _ in Holder<Part>() } }
  }

  static let all = [
    Sample("Percent", Percent.self), Sample("Link", Link.self), Sample("Term", Term.self),
    Sample("Endless", Endless.self), Sample("Spinning", Spinning.self),
    Sample("Leaving", Leaving.self), Sample("Level", Level.self),
    Sample("Code", Shelf.self), Sample("Sorted", Sorted.self), Sample("Limited", Form.self),
    Sample("Dog", Owner.self), Sample("Percent", [[String: Percent?]].self),
  ]
}

private struct Answers {
  private let client: WaitingClient

  init(_ service: Service) throws { client = try WaitingClient(service.port) }

  func callAsFunction(_ request: String, _ body: String = "") async throws -> (
    status: Int, json: Any?, location: String?
  ) {
    let fields = body.isEmpty ? "" : json
    let answer = try #require(try await client.ask(request, fields, body: body))
    let found = try? JSONSerialization.jsonObject(with: Data(answer.text.utf8))
    return (answer.status, found, answer["Location"])
  }
}

private func service(_ host: (inout ViewModelCatalog) -> Void) throws -> Service {
  var catalog = ViewModelCatalog()
  host(&catalog)
  var configuration = Configuration()
  configuration.port = 0
  configuration.data = .memory
  configuration.logLevel = .error
  return try Service(catalog, configuration)
}

@Suite(.timeLimit(.minutes(5)))
struct `A type that ends the process over an invented value` {
  @Test(arguments: Sample.all)
  func `has a schema that allows any value, beside parts with their own`(sample: Sample)
    async throws
  {
    let service = try service(sample.host)
    let answer = try Answers(service)
    #expect(try await answer("GET /openapi.json").status == 200)
    let (status, json, _) = try await answer("GET /view-models/holder")
    #expect(status == 200)
    let inputs = try #require((json as? [String: Any])?["inputs"] as? [[String: Any]])
    try #require(inputs.compactMap { $0["name"] as? String } == ["part", "add"])
    #expect("\(inputs[1])".contains("int64"))
    #expect(!"\(inputs[0])".contains("\"string\""))
    await service.stop()
  }

  @Test(arguments: Sample.all)
  func `lets an Input fail that does not decode`(sample: Sample) async throws {
    let service = try service(sample.host)
    let answer = try Answers(service)
    let session = try #require(
      try await answer("POST /sessions", #"{"viewModel":"holder"}"#).location
    )
    for body in [#"{"prt":1}"#, #""part""#, #"{"add":{"by":"x"}}"#, "7", #"{"add":1,"part":2}"#] {
      #expect(try await answer("POST \(session)/inputs", body).status == 422, "\(body)")
    }
    #expect(try await answer("POST \(session)/inputs", #"{"add":{"by":2}}"#).status == 200)
    await service.stop()
  }

  @Test func `keeps its own coding, as an enum`() async throws {
    let service = try service { $0.host("holder", summary: "") { _ in Holder<Level>() } }
    let answer = try Answers(service)
    let session = try #require(
      try await answer("POST /sessions", #"{"viewModel":"holder"}"#).location
    )
    let (status, json, _) = try await answer("POST \(session)/inputs", #"{"part":"3"}"#)
    let state = (json as? [String: Any])?["state"] as? [String: Any]
    #expect(status == 200 && state?["part"] as? String == "3")
    await service.stop()
  }

  @Test func `is named by the log`() async throws {
    let service = try service { _ in }
    let lines = Lines()
    let log = Log(format: .text, level: .info, write: { lines.add($0) })
    log.searchShapes(of: [Holder<Percent>.State.self, Shelf.self, [Leaving].self, Form.self])()
    let names = lines.text.split(separator: "\n").compactMap { $0.split(separator: "type=").last }
    #expect(names == ["Code", "Leaving", "Limited", "Percent"])
    #expect(lines.text.contains("throw an error in its init(from:)"))
    await service.stop()
  }
}

/// A type whose code waits for ever in the first two processes that run it, as if another thread had held a lock.
private struct Waiting: Codable {
  nonisolated(unsafe) private static let attempts: UnsafeMutablePointer<Int>? = {
    // Guard: one process after another runs the code.
    let flags = MAP_SHARED | MAP_ANONYMOUS
    let memory = mmap(nil, 4_096, PROT_READ | PROT_WRITE, flags, -1, 0)
    return memory == MAP_FAILED ? nil : memory?.bindMemory(to: Int.self, capacity: 1)
  }()

  static func prepare() throws { _ = try #require(attempts) }

  var name: String

  init(from decoder: any Decoder) throws {
    if let attempts = Self.attempts, attempts.pointee < 2 {
      attempts.pointee += 1
      while true { pause() }
    }
    name = try decoder.singleValueContainer().decode(String.self)
  }
}

struct `A type that does not end the process` {
  @Test func `has no line in the log, even if it refuses values or prints`() async throws {
    struct Loud: Codable {
      var name: String
      init(from decoder: any Decoder) throws {
        name = try decoder.singleValueContainer().decode(String.self)
        print("decoded", name)
        guard name.isEmpty else { throw CancellationError() }
      }
    }
    let service = try service { _ in }
    let lines = Lines()
    let log = Log(format: .text, level: .info, write: { lines.add($0) })
    log.searchShapes(of: [Loud.self, [String: Holder<Int>.Input].self])()
    #expect(lines.text.isEmpty)
    await service.stop()
  }

  @Test func `has no line in the log, even if its first trials wait for ever`() async throws {
    try Waiting.prepare()
    let service = try service { _ in }
    let lines = Lines()
    let log = Log(format: .text, level: .info, write: { lines.add($0) })
    log.searchShapes(of: [Waiting.self])()
    #expect(lines.text.isEmpty)
    await service.stop()
  }
}
