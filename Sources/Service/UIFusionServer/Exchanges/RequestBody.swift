/// The way in which a route takes the bodies of its requests.
public struct RequestBody: Sendable {
  /// The most bytes of a body that the handler reads as it arrives; nil for a body that it gets whole.
  let limit: Int?
  let contentType: String

  /// A body that has come in full when the handler is called: ``Request/body``, of at most `--max-body`.
  public static let whole = RequestBody(limit: nil, contentType: "application/json")

  /// A body of at most 1 GiB that the handler reads as it arrives: ``Request/stream``.
  public static let streamed = RequestBody.streamed(upTo: 1 << 30)

  /// Returns a body that the handler reads as it arrives: ``Request/stream``.
  ///
  /// More bytes than the limit are answered with 413. The media type stands in `/openapi.json`.
  public static func streamed(
    upTo limit: Int,
    contentType: String = "application/octet-stream"
  ) -> RequestBody {
    RequestBody(limit: limit, contentType: contentType)
  }
}
