import HTTPMessages

/// `/` and the rest: the front end's files.
extension SessionAPI {
  func file(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
    guard let file = files[request.target.path] else { throw .notFound }
    // `no-cache` lets a browser keep the file, and has it ask whether it is still the same.
    let headers: HTTPHeaders = ["ETag": file.tag, "Cache-Control": "no-cache"]
    var response = HTTPResponse(200, headers: headers, body: .bytes(file.bytes))
    response.headers.append("Content-Type", file.contentType)
    guard let known = request.headers.list("If-None-Match"), EntityTags(known).contain(file.tag)
    else { return response }
    return response.notModified
  }
}
