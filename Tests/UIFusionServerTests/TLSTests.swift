import Foundation
import FusionRawHTTP
import FusionSpawning
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The service over TLS` {
  @Test func `is not healthy during a stop's delay`() throws {
    let files = try Certificate("ec")
    let service = try ServiceProcess(
      "--tls-cert",
      files.certificate,
      "--tls-key",
      files.key,
      "--drain-delay",
      "60"
    )
    var status: Int32 = 0
    #expect(try run("health", "--port", "\(service.port)").status == 0)
    service.terminate()
    for _ in 0..<100 where status == 0 {
      status = try run("health", "--port", "\(service.port)").status
    }
    #expect(status == 1)
    service.kill()
  }

  @Test(arguments: ["ec", "rsa:2048", "ed25519"])
  func `serves curl, streams included, and the command health`(algorithm: String) throws {
    let files = try Certificate(algorithm)
    let service = try ServiceProcess("--tls-cert", files.certificate, "--tls-key", files.key)
    #expect(service.announcement == "listening on https://127.0.0.1:\(service.port)")
    func curl(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try run(
        "/usr/bin/curl",
        ["-sS", "--max-time", "20", "--cacert", files.certificate] + arguments
      )
    }
    let url = "https://localhost:\(service.port)"
    let made = try curl("-i", "--json", #"{"viewModel":"counter-sync"}"#, url + "/sessions")
    #expect(made.output.hasPrefix("HTTP/1.1 201"), "\(made.errors)")
    let id = try #require(made.output.firstMatch(of: /Location: (\S+)/)).output.1
    // Several requests on one connection, then a stream to its end.
    let inputs = try curl(
      "--json",
      #""increase""#,
      url + id + "/inputs",
      "--next",
      "-sS",
      "--cacert",
      files.certificate,
      "--json",
      #""increase""#,
      url + id + "/inputs"
    )
    #expect(inputs.output.contains(#""version":2"#) && inputs.output.contains(#""version":3"#))
    let output = Pipe()
    let stream = try ChildProcess(
      "/usr/bin/curl",
      [
        "-sSN", "--max-time", "20", "--cacert", files.certificate, url + id + "/events",
      ],
      output: output
    )
    var text = ""
    while !text.contains("id: 3\n"),
      let more = try output.fileHandleForReading.read(upToCount: 64), !more.isEmpty
    {
      text += String(decoding: more, as: UTF8.self)
    }
    #expect(try curl("-X", "DELETE", url + id).status == 0)
    text += String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(text.contains(#"data: {"reason":"deleted"}"#))
    #expect(stream.waitUntilExit() == 0)
    #expect(try run("health", "--port", "\(service.port)").status == 0)
    let (status, _) = try service.stop()
    #expect(status == 0)
    #expect(try run("health", "--port", "\(service.port)").status == 1)
  }

  @Test func `compresses streams that curl accepts to their end`() throws {
    let files = try Certificate()
    let service = try ServiceProcess("--tls-cert", files.certificate, "--tls-key", files.key)
    func curl(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try run(
        "/usr/bin/curl",
        ["-sS", "--max-time", "20", "--cacert", files.certificate] + arguments
      )
    }
    let url = "https://localhost:\(service.port)"
    let made = try curl("-i", "--json", #"{"viewModel":"todos"}"#, url + "/sessions")
    let session = url + (try #require(made.output.firstMatch(of: /Location: (\S+)/)).output.1)
    let todo = #"{"add":{"title":"something to be done today"}}"#
    let todos = "[" + [String](repeating: todo, count: 100).joined(separator: ",") + "]"
    let answer = try curl("--compressed", "--json", todos, session + "/inputs")
    #expect(answer.output.hasSuffix(#","settled":true}"#))
    let output = Pipe()
    let stream = try ChildProcess(
      "/usr/bin/curl",
      [
        "-sSN", "-D", files.folder.appending(path: "head").path, "--compressed", "--max-time", "20",
        "--cacert", files.certificate, session + "/events",
      ],
      output: output
    )
    // Each event arrives at once and complete.
    let state = answer.output.replacing(#","settled":true}"#, with: "}\n\n")
    let expected = Data("retry: 1000\nid: 101\nevent: state\ndata: \(state)".utf8)
    let handle = output.fileHandleForReading
    #expect(try handle.read(upToCount: expected.count) == expected)
    #expect(try curl("-X", "DELETE", session).status == 0)
    let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    #expect(text.contains(#"data: {"reason":"deleted"}"#) && stream.waitUntilExit() == 0)
    let head = try String(contentsOf: files.folder.appending(path: "head"), encoding: .utf8)
    #expect(head.contains("Content-Encoding: gzip\r\n"))
  }

  @Test func `answers nothing to plain HTTP, and goes on`() throws {
    let files = try Certificate()
    let service = try ServiceProcess("--tls-cert", files.certificate, "--tls-key", files.key)
    let plain = try service.connect()
    plain.request("GET /healthz")
    #expect(try !String(decoding: plain.readToEnd(), as: UTF8.self).contains("HTTP"))
    #expect(try run("health", "--port", "\(service.port)").status == 0)
  }

  @Test func `uses a renewed certificate after SIGHUP, and keeps its connections`() throws {
    let (files, renewed) = (try Certificate(), try Certificate())
    let service = try ServiceProcess(
      "--tls-cert",
      files.certificate,
      "--tls-key",
      files.key,
      "--heartbeat",
      "0.1"
    )
    let url = "https://localhost:\(service.port)"
    let created = try curl(
      try String(contentsOfFile: files.certificate, encoding: .utf8),
      ["-i", "--json", #"{"viewModel":"counter-sync"}"#, url + "/sessions"]
    )
    let id = try #require(created.output.firstMatch(of: /Location: (\S+)/)).output.1
    let output = Pipe()
    let stream = try ChildProcess(
      "/usr/bin/curl",
      ["-sSNk", "--max-time", "20", url + id + "/events"],
      output: output
    )
    #expect(try output.fileHandleForReading.text(through: "id: 1\n") != nil)
    let old = try String(contentsOfFile: files.certificate, encoding: .utf8)
    try files.take(from: renewed)
    try service.hangUp(until: "certificate reloaded")
    let new = try String(contentsOfFile: renewed.certificate, encoding: .utf8)
    #expect(try curl(old, [url + "/healthz"]).status == 60)
    #expect(try curl(new, ["--json", #""increase""#, url + id + "/inputs"]).status == 0)
    #expect(try output.fileHandleForReading.text(through: "id: 2\n") != nil)
    stream.signal()
    stream.waitUntilExit()
    #expect(try service.stop().status == 0)
  }

  @Test func `keeps its certificate at SIGHUP if the new one is invalid, and logs that`()
    throws
  {
    let (files, other) = (try Certificate(), try Certificate())
    let service = try ServiceProcess("--tls-cert", files.certificate, "--tls-key", files.key)
    let old = try String(contentsOfFile: files.certificate, encoding: .utf8)
    // The key of another certificate.
    try files.take(from: other, onlyKey: true)
    try service.hangUp(until: "cannot reload the certificate")
    #expect(try curl(old, ["https://localhost:\(service.port)/healthz"]).status == 0)
    try Data().write(to: URL(filePath: files.key))
    try service.hangUp(until: "cannot reload the certificate")
    #expect(try curl(old, ["https://localhost:\(service.port)/healthz"]).status == 0)
    #expect(try service.stop().status == 0)
  }

  /// Runs curl, which trusts this certificate only; status 60 means an untrusted certificate.
  private func curl(
    _ certificate: String,
    _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    let file = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).pem")
    try Data(certificate.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try run(
      "/usr/bin/curl",
      ["-sS", "--max-time", "20", "--cacert", file.path] + arguments
    )
  }

  @Test func `needs both files, and exits with 2 if one is missing`() throws {
    for flag in ["--tls-cert", "--tls-key"] {
      let result = try run("serve", "--port", "0", flag, "/nowhere.pem")
      #expect(result.status == 2)
      #expect(result.errors.contains("--tls-cert and --tls-key go together"))
    }
  }

  @Test func `does not start with missing or invalid files, and names them`() throws {
    let (files, others) = (try Certificate(), try Certificate())
    let (cert, key) = (files.certificate, files.key)
    let text = try files.write("hello", to: "text.pem")
    let damaged = try files.write(
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      to: "damaged.pem"
    )
    let encrypted = try files.write("-----BEGIN ENCRYPTED PRIVATE KEY-----", to: "encrypted.pem")
    for (cert, key, complaint) in [
      ("/nowhere.pem", key, "cannot read /nowhere.pem: No such file or directory"),
      (cert, "/nowhere.pem", "cannot read /nowhere.pem: No such file or directory"),
      (text, key, "\(text) contains no certificate in PEM"),
      (cert, text, "\(text) contains no private key in PEM"),
      (key, cert, "\(key) contains no certificate in PEM"),
      (cert, encrypted, "\(encrypted) is encrypted"),
      (cert, others.key, "cannot use \(cert) and \(others.key)"),
      (damaged, key, "cannot use \(damaged) and \(key)"),
    ] {
      let result = try run("serve", "--port", "0", "--tls-cert", cert, "--tls-key", key)
      #expect(result.status == 1)
      #expect(result.errors.contains(complaint), "\(result.errors)")
    }
  }
}

extension FileHandle {
  /// Reads until a text has arrived; nil if the file ends before.
  fileprivate func text(through end: String) throws -> String? {
    var text = ""
    while let more = try read(upToCount: 1), !more.isEmpty {
      text += String(decoding: more, as: UTF8.self)
      if text.contains(end) { return text }
    }
    return nil
  }
}
