import FusionStrictJSON
import Testing

@testable import FusionDoctor

/// Returns an answer as `curl` outputs it.
func answer(
  _ status: Int = 200,
  _ headers: [String] = ["X-Request-Id: 1"],
  _ body: String = "",
  exit: CInt = 0,
  error: String? = nil
) -> CurlAnswer {
  let head =
    exit == 0 ? "HTTP/1.1 \(status) Reason\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n" : ""
  let error = error.map { #","errormsg":"\#($0)""# } ?? ""
  return CurlAnswer(
    output: Array((head + body + "\n" + #"{"time_total":0.1\#(error)}"#).utf8),
    exit: exit
  )
}

func problem(_ status: Int, _ name: String) -> CurlAnswer {
  answer(
    status,
    ["X-Request-Id: 1", "Content-Type: application/problem+json"],
    #"{"type":"/problems/\#(name)","title":"No","status":\#(status)}"#
  )
}

func head(_ lines: String...) throws -> MessageHead {
  var bytes = Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
  return try #require(MessageHead(takenFrom: &bytes))
}

func url(_ text: String = "https://example.org/app") throws -> ServiceURL {
  try #require(ServiceURL(text))
}

func tree(_ text: String) throws -> JSONTree {
  JSONTree(try JSONDocument(Array(text.utf8)).root)
}

extension [Finding] {
  /// The only failure or warning; nil if there are none or several.
  var fault: Finding? {
    let faults = filter { $0.level == .failure || $0.level == .warning }
    return faults.count == 1 ? faults[0] : nil
  }

  var isGreen: Bool { allSatisfy { $0.level == .ok } }
}

extension Finding {
  /// Whether a line of the advice contains the words.
  func advises(_ words: String) -> Bool { adviceLines.contains { $0.contains(words) } }
}
