import HTTPMessages
import Sessions
import StrictJSON

/// `/view-models`: what is hosted.
extension SessionAPI {
  func viewModels() -> HTTPResponse {
    let list = ViewModelList(
      viewModels: host.viewModels.map {
        ViewModelList.Entry(name: $0.name, summary: $0.summary, href: "/view-models/\($0.name)")
      }
    )
    return json(list)
  }

  /// The spec, in the form that the client would rather have.
  func viewModel(named name: String, _ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    guard let viewModel = host.viewModel(named: name) else {
      throw .unknownViewModel(known: host.viewModels.map(\.name))
    }
    let spec = specs[viewModel]
    let accept = Accept(request.headers.list("Accept"))
    guard accept.quality(of: "text/markdown") > accept.quality(of: "application/json") else {
      return HTTPResponse(200, json: spec.json.bytes, headers: ["Vary": "Accept"])
    }
    return HTTPResponse(
      200,
      headers: ["Vary": "Accept", "Content-Type": "text/markdown; charset=utf-8"],
      body: .bytes(Array(spec.markdown(at: request.origin).utf8))
    )
  }

  private func json(_ value: some Encodable) -> HTTPResponse {
    HTTPResponse(200, json: (try? StrictJSON.encode(value)) ?? [])
  }
}

private struct ViewModelList: Encodable {
  let viewModels: [Entry]

  struct Entry: Encodable {
    let name: String
    let summary: String
    let href: String
  }
}

extension HTTPRequest {
  /// Where the client has reached the service, for lines to copy; only what is surely an authority.
  fileprivate var origin: String {
    let host = headers["Host"] ?? ""
    let isPlain = !host.isEmpty && host.utf8.allSatisfy(isOfAuthority)
    return "http://" + (isPlain ? host : "127.0.0.1:8080")
  }
}

private func isOfAuthority(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"),
    UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"):
    true
  default: false
  }
}
