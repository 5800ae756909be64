import Dispatch
import Foundation
import FusionRawHTTP
import Synchronization
import Testing

/// Tests of the executable over sockets.
///
/// They run one after another, as they block threads.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The service` {
  @Test func `says where it listens, serves its pages, and stops with 0`() throws {
    let service = try ServiceProcess()
    #expect(service.announcement == "listening on http://127.0.0.1:\(service.port)")
    let client = try service.connect()
    client.request("GET /")
    let page = try #require(try client.response())
    #expect(page.status == 200)
    #expect(page["Content-Type"] == "text/html; charset=utf-8")
    for header in [
      "X-Content-Type-Options", "Content-Security-Policy", "Referrer-Policy",
      "Cross-Origin-Resource-Policy",
    ] {
      #expect(page.count(header) == 1)
    }
    let (status, log) = try service.stop()
    #expect(status == 0)
    #expect(log.contains("stopped"))
  }

  @Test func `answers the command health`() throws {
    let service = try ServiceProcess()
    #expect(try run("health", "--port", "\(service.port)").status == 0)
    let port = service.port
    _ = try service.stop()
    #expect(try run("health", "--port", "\(port)").status == 1)
  }

  @Test func `answers the command health, whatever Hosts are allowed`() throws {
    let service = try ServiceProcess("--allow-host", "a.example")
    let client = try service.connect()
    client.request("GET /healthz")
    #expect(try client.response()?.status == 200)
    client.request("GET /")
    #expect(try client.response()?.status == 421)
    #expect(try run("health", "--port", "\(service.port)").status == 0)
  }

  @Test func `lets pages of an allowed origin read even early refusals`() throws {
    let service = try ServiceProcess("--allow-origin", "https://a.example", "--max-body", "10")
    for (fields, body) in [
      ("Content-Length: 11\r\n", ""),
      ("Transfer-Encoding: chunked\r\n", "b\r\n01234567890\r\n0\r\n\r\n"),
    ] {
      let client = try service.connect()
      client.send("POST /sessions HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\n")
      client.send(fields + "\r\n" + body)
      let answer = try client.response()
      #expect(answer?.status == 413)
      #expect(answer?["Access-Control-Allow-Origin"] == "https://a.example")
      #expect(answer?["Cross-Origin-Resource-Policy"] == "cross-origin")
      #expect(answer?.count("Cross-Origin-Resource-Policy") == 1)
    }
  }

  @Test func `shows its metrics`() throws {
    let service = try ServiceProcess()
    let session = try service.session("counter-sync")
    let (client, stream) = (try service.connect(), try service.connect())
    _ = try stream.follow(session)
    client.request("DELETE \(try service.session("counter-sync"))")
    _ = try client.response()
    client.request("GET /nothing")
    _ = try client.response()
    _ = try client.post(#""increase""#, to: session)
    let descriptorsBefore = try service.descriptors
    client.request("GET /metrics")
    let text = try #require(try client.response()?.text)
    for line in [
      "uifusion_sessions 1", "uifusion_sessions_created_total 2", "uifusion_streams 1",
      #"uifusion_sessions_ended_total{reason="deleted"} 1"#, "uifusion_queued_inputs 0",
      #"uifusion_sessions_ended_total{reason="expired"} 0"#,
      #"uifusion_http_requests_total{route="/sessions",method="POST",status="201"} 2"#,
      #"uifusion_http_requests_total{route="/*",method="GET",status="404"} 1"#,
      #"uifusion_build_info{version="0.1.0"} 1"#, "uifusion_ready 1",
      "uifusion_sessions_limit 100000", "uifusion_streams_limit 10000",
      "uifusion_queued_inputs_limit 256", "uifusion_request_body_limit_bytes 65536",
      #"uifusion_inputs_total{result="processed"} 1"#, "uifusion_input_duration_seconds_count 1",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
    let number = #/\nuifusion_connections (\d+)\n/#
    #expect(text.firstMatch(of: number).flatMap { Int($0.output.1) } ?? 0 >= 2)
    let limit = #/\nuifusion_connections_limit (\d+)\n/#
    #expect(text.firstMatch(of: limit).flatMap { Int($0.output.1) } ?? 0 > 16)
    let descriptors = #/\nprocess_open_fds (\d+)\n/#
    let count = try #require(text.firstMatch(of: descriptors).flatMap { Int($0.output.1) })
    // The service may still be closing connections of clients that have left.
    #expect(count <= descriptorsBefore)
    #expect(try count >= service.descriptors)
    #expect(text.contains(#/\nprocess_max_fds \d+\n/#))
    let time = #/\nprocess_cpu_seconds_total (\d+\.\d+)\n/#
    #expect(text.firstMatch(of: time).flatMap { Double($0.output.1) } ?? 0 > 0)
    let memory = #/\nprocess_resident_memory_bytes (\d+)\n/#
    #expect(text.firstMatch(of: memory).flatMap { Int($0.output.1) } ?? 0 > 1 << 20)
    let start = #/\nprocess_start_time_seconds (\d+)/#
    #expect(text.firstMatch(of: start).flatMap { Int($0.output.1) } ?? 0 > 1_700_000_000)
  }

  @Test func `prints why it cannot start, and exits with 1 or 2`() throws {
    let service = try ServiceProcess()
    let taken = try run("serve", "--port", "\(service.port)")
    #expect(taken.status == 1)
    #expect(taken.errors.contains("\(service.port)"))
    let folder = try run("serve", "--port", "0", "--public", "/nowhere")
    #expect(folder.status == 1 && folder.errors.contains("/nowhere"))
    let flag = try run("serve", "--prot", "1")
    #expect(flag.status == 2 && flag.errors.contains("--port"))
    #expect(try run("--version").output.hasPrefix("uifusion "))
    #expect(try run("--help").output.contains("--max-body"))
  }

  @Test func `counts 1000 Inputs from 20 connections, and every stream sees versions grow`() throws
  {
    let service = try ServiceProcess()
    let session = try service.session("counter-sync")
    let streams = try (0..<3).map { _ in try service.connect() }
    for stream in streams { #expect(try stream.follow(session).count == 1) }
    let answers = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 20) { _ in
      guard let client = try? service.connect() else { return }
      for _ in 0..<50 {
        guard let answer = try? client.post(#""increase""#, to: session) else { return }
        answers.withLock { $0.append(version(in: answer)) }
      }
    }
    #expect(answers.withLock { $0.sorted() } == Array(2...1001))
    for stream in streams {
      let versions = try stream.events(through: "id: 1001\n").map(version)
      #expect(versions.last == 1001)
      #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
    }
    let last = try service.connect().post("[]", to: session)
    #expect(last.contains(#""value":1000"#))
  }

  @Test func `sends a stream the loading State before the value`() throws {
    let service = try ServiceProcess()
    let session = try service.session("counter")
    let stream = try service.connect()
    _ = try stream.follow(session)
    let answer = try service.connect().post(#""increase""#, to: session)
    #expect(answer.contains(#""loadingState":"increasing""#))
    #expect(answer.hasSuffix(#""settled":false}"#))
    let events = try stream.events(through: #""value":1"#)
    #expect(events.count == 2)
    #expect(events.first?.contains(#""value":0,"loadingState":"increasing""#) == true)
  }

  @Test func `frees the streams of clients that have left, and reuses their memory`() throws {
    let service = try ServiceProcess("--heartbeat", "1")
    let session = try service.session("counter-sync")
    let count = 2_500
    func open(_ count: Int) throws -> [RawClient] {
      let clients = try (0..<count).map { _ in try service.connect() }
      for client in clients { client.request("GET \(session)/events") }
      for client in clients { _ = try client.head() }
      return clients
    }
    let witness = try service.connect()
    _ = try witness.follow(session)
    let stay = try open(count)
    let before = try service.descriptors
    var leave = try open(count)
    let memory = try service.memory
    leave = []
    // A lost client is noticed at the second write; a loaded machine may need a few more.
    for _ in 0..<20 where try service.descriptors > before + 10 {
      _ = try witness.events(through: ":\n")
    }
    #expect(try service.descriptors <= before + 10)
    leave = try open(count)
    let reused = try service.memory
    #expect(reused < memory + memory / 5, "\(reused) KiB, before \(memory) KiB")
    #expect(stay.count + leave.count == 2 * count)
    let (status, _) = try service.stop()
    #expect(status == 0)
  }

  @Test func `stops with streams open: each is ended cleanly, without an end event`() throws {
    let service = try ServiceProcess()
    let sessions = try (0..<2).map { _ in try service.session("counter-sync") }
    let ids = sessions.map { "session=" + $0.dropFirst("/sessions/".count) }
    let targets = [
      "\(sessions[0])/events", "\(sessions[0])/events?format=patch",
      "/events?\(ids[0])&\(ids[1])", "/events?\(ids[0])&\(ids[1])&format=patch",
    ]
    let streams = try targets.flatMap { target in
      try (0..<25).map { _ in
        let stream = try service.connect()
        stream.request("GET \(target)")
        #expect(try stream.head()?.status == 200)
        var text = ""
        // Each session's first event.
        let count = target.contains("&session") ? 2 : 1
        while text.split(separator: "event: state\n").count <= count {
          text += String(decoding: try #require(try stream.chunk()), as: UTF8.self)
        }
        return stream
      }
    }
    let (status, _) = try service.stop()
    #expect(status == 0)
    for stream in streams { #expect(try stream.chunk() == []) }
  }

  @Test func `answers pending requests before it stops`() throws {
    let service = try ServiceProcess()
    let session = try service.session("counter")
    let (stream, client) = (try service.connect(), try service.connect())
    _ = try stream.follow(session)
    let batch = #"["increase","increase"]"#
    client.request("POST \(session)/inputs", "Content-Type: application/json\r\n", body: batch)
    // The batch's first Input is at work; the answer comes after the second.
    _ = try stream.events(through: "increasing")
    let (status, _) = try service.stop()
    #expect(status == 0)
    #expect(try client.response()?.text.contains(#""value":1"#) == true)
  }

  @Test func `ends at once at a second signal`() throws {
    let service = try ServiceProcess("--drain-delay", "600")
    service.terminate()
    var ready: Int? = 200
    for _ in 0..<1_000 where ready == 200 {
      let probe = try service.connect()
      probe.request("GET /readyz")
      ready = try probe.response()?.status
    }
    #expect(service.stopUnread() == 128 + SIGTERM)
  }

  @Test func `reloads the front end at SIGHUP without a restart`() throws {
    let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appending(path: "index.html")
    try Data("old".utf8).write(to: page)
    // If other machines can reach the service, it does not look for changes by itself.
    let service = try ServiceProcess(
      "--host",
      "0.0.0.0",
      "--public",
      folder.path
    )
    let client = try service.connect()
    try Data("renewed".utf8).write(to: page)
    client.request("GET /")
    #expect(try client.response()?.text == "old")
    try service.hangUp(until: "front end reloaded files=1")
    client.request("GET /")
    #expect(try client.response()?.text == "renewed")
    #expect(try service.stop().status == 0)
  }

  @Test func `never logs a whole session id`() throws {
    let service = try ServiceProcess("--log-level", "debug", "--log", "json")
    let session = try service.session("counter")
    let id = try #require(session.split(separator: "/").last)
    let client = try service.connect()
    client.request("DELETE \(session)")
    #expect(try client.response()?.status == 204)
    let (_, log) = try service.stop()
    #expect(log.contains(id.prefix(6)))
    #expect(!log.contains(id))
  }
}

private func version(in text: String) -> Int {
  text.firstMatch(of: /"version":(\d+)/).flatMap { Int($0.output.1) } ?? 0
}
