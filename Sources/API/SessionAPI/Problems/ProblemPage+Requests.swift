extension ProblemPage {
  /// Those about a request as such, and about what is at its path.
  static let requests = [
    ProblemPage(
      [400],
      "bad-framing",
      "Bad message framing",
      means: "The headers do not say in one way where the body ends: two lengths, a length beside "
        + "chunks, chunks over HTTP/1.0, or a coding other than chunked. Such a request could "
        + "be read otherwise by a proxy in front.",
      advice: "Send one Content-Length, or over HTTP/1.1 Transfer-Encoding: chunked alone. Clients "
        + "do this by themselves; look for a header that the program or a proxy adds."
    ),
    ProblemPage(
      [400],
      "bad-host",
      "Bad Host header",
      means: "There is no Host header, there are several, or it is no host name or address with an "
        + "optional port.",
      advice: "Send exactly one Host header, such as Host: example.org:8080."
    ),
    ProblemPage(
      [400],
      "bad-target",
      "Bad request target",
      means: "The path or the query is not valid: it does not begin with a slash, has a bad "
        + "escape, or is no UTF-8.",
      advice: "Escape what is no letter, digit or mark of a URL as % and two hexadecimal digits; "
        + "encodeURIComponent does it in JavaScript."
    ),
    ProblemPage(
      [413],
      "content-too-large",
      "Content too large",
      means: "The body has more bytes than the service takes, which the member limit says. Nothing "
        + "was applied.",
      advice: "Send less, or several requests. Whoever runs the service can raise the limit with "
        + "--max-body."
    ),
    ProblemPage(
      [400],
      "invalid-query",
      "The query does not fit",
      means: "A parameter in the query is missing, or has a value that does not fit; detail and "
        + "member say which.",
      advice: "Mend that parameter; /openapi.json describes those of each resource."
    ),
    ProblemPage(
      [400],
      "malformed-json",
      "The body is not JSON",
      means: "The body is no JSON in UTF-8 (RFC 8259): cut off, with text behind its end, with a "
        + "key twice, or nested too deep. The detail says where.",
      advice: "Mend the body and send it again. In a shell, put it into single quotes; in a "
        + "program, let a library write the JSON."
    ),
    ProblemPage(
      [400],
      "malformed-request",
      "Malformed request",
      means: "The method, or a header's name or value, has characters that HTTP does not allow "
        + "there (RFC 9110).",
      advice: "Take line breaks and control characters out of what the program puts into headers."
    ),
    ProblemPage(
      [405],
      "method-not-allowed",
      "Method not allowed",
      means: "There is something at this path, but not for this method; the header Allow lists the "
        + "methods that it has.",
      advice: "Use one of those in Allow. Inputs are sent with POST, a session is ended with "
        + "DELETE."
    ),
    ProblemPage(
      [404],
      "not-found",
      "Not found",
      means: "There is nothing at this path: neither a resource of the service nor a file of its "
        + "front end.",
      advice: "Check the path: /openapi.json lists the resources. A new file of the front end is "
        + "seen within a second on a loopback address, else after SIGHUP or a restart."
    ),
    ProblemPage(
      [501],
      "unknown-method",
      "Unknown method",
      means: "The method is none that the service knows for any resource.",
      advice: "Use GET, HEAD, POST, DELETE or OPTIONS, as /openapi.json says for each resource."
    ),
    ProblemPage(
      [505],
      "unknown-http-version",
      "HTTP version not supported",
      means: "The request names a version of HTTP that the service does not speak.",
      advice: "Send it with HTTP/1.1 or HTTP/1.0, or put a proxy in front that speaks the other "
        + "version."
    ),
    ProblemPage(
      [400],
      "unknown-member",
      "Unknown member",
      means: "The object in the body has a member that the service does not know, which member "
        + "names. It is refused, so that a misspelling does not go unnoticed.",
      advice: "Mend the member's name, or leave it out."
    ),
    ProblemPage(
      [416],
      "unsatisfiable-range",
      "There is no such part",
      means: "The Range header asks for bytes behind the end of the file; Content-Range says how "
        + "many there are.",
      advice: "Ask for a part within those, or leave Range out. A download that was cut off may be "
        + "complete already."
    ),
    ProblemPage(
      [415],
      "unsupported-media-type",
      "Unsupported media type",
      means: "The body is not declared as JSON in UTF-8.",
      advice: "Send Content-Type: application/json. With curl: -H 'Content-Type: application/json'."
    ),
  ]
}
