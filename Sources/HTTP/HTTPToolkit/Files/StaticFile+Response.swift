package import FusionHTTPMessages

extension StaticFile {
  /// Returns the response to a request for the file: in the form that the client accepts, in part, or as 304.
  package func response(to request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let form = form(for: AcceptedCodings(request.headers.list("Accept-Encoding")))
    var response = response(with: form)
    // The address has the digest of these bytes. Other digests come from pages of an earlier or later
    // deployment.
    if request.target.first("v").map({ $0 == digest }) == true {
      response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    }
    if let known = request.headers.list("If-None-Match"), EntityTags(known).contain(form.tag) {
      return response.notModified
    }
    // RFC 9110 §14.2: only GET has ranges.
    guard request.method == .get, let range = request.headers["Range"],
      isCurrent(form, by: request.headers["If-Range"])
    else { return response }
    switch ByteRange(range, of: form.content.count) {
    case .whole: return response
    case .part(let part): return response.part(part, of: form.content)
    case .unsatisfiable:
      throw .unsatisfiableRange.filled(with: "\(form.content.count)")
        .with("Content-Range", "bytes */\(form.content.count)")
    }
  }

  /// RFC 9110 §13.1.5: requires a strong tag; a date does not identify a version here.
  private func isCurrent(_ form: Form, by condition: String?) -> Bool {
    condition == nil || condition == form.tag
  }

  private func response(with form: Form) -> HTTPResponse {
    // `no-cache` lets a browser keep the file, but makes it ask for changes.
    var headers: HTTPHeaders = [
      "ETag": form.tag, "Cache-Control": "no-cache", "Accept-Ranges": "bytes",
      "Content-Type": contentType.text,
    ]
    if let coding = form.coding { headers.append("Content-Encoding", coding) }
    if hasForms { headers.append("Vary", "Accept-Encoding") }
    return HTTPResponse(200, headers: headers, body: form.content.body(0..<form.content.count))
  }
}

extension HTTPResponse {
  /// RFC 9110 §15.3.7.
  fileprivate func part(_ part: Range<Int>, of content: StaticFile.Content) -> HTTPResponse {
    var response = self
    response.status = 206
    let place = "\(part.lowerBound)-\(part.upperBound - 1)"
    response.headers.append("Content-Range", "bytes \(place)/\(content.count)")
    response.body = content.body(part)
    return response
  }
}

extension StaticFile.Content {
  fileprivate func body(_ part: Range<Int>) -> HTTPResponse.Body {
    switch self {
    case .held(let bytes): .shared(bytes[part])
    case .onDisk(let file): .source(file, part)
    }
  }
}

/// The part of a body of known length that a `Range` header requests (RFC 9110 §14.1.2).
enum ByteRange: Equatable {
  /// No supported range: other units, another form, or several ranges; the whole body is a valid answer.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  init(_ text: String, of length: Int) {
    guard let ranges = text.wholeMatch(of: /(?i:bytes)=[ \t]*([0-9]*)-([0-9]*)[ \t]*/) else {
      self = .whole
      return
    }
    // Only digits match, so a number that `Int` cannot hold is larger than any body.
    let (first, last) = (ranges.1, ranges.2)
    switch (first.isEmpty, last.isEmpty) {
    case (true, true):
      self = .whole
    case (true, false):
      let count = Int(last) ?? .max
      self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
    case (false, _):
      let start = Int(first) ?? .max
      let end = last.isEmpty ? .max : Int(last) ?? .max
      guard end >= start else {
        self = .whole
        return
      }
      self = start < length ? .part(start..<min(end, length - 1) + 1) : .unsatisfiable
    }
  }
}
