import FusionStrictJSON

/// What streams send.
extension OpenAPI {
  /// A stream, in each of its formats; named as ``eventSchemas`` names its event in the first of them.
  static func stream(of event: String) -> JSONTree {
    answer(
      "A stream that goes on until the sessions end; the schema is that of each event.",
      StreamFormats.all.enumerated().map { index, format in
        (format.mediaType, schema(event + suffix(index)))
      },
      headers: ["Vary", "Content-Encoding"]
    )
  }

  static let eventSchemas: [Schema] = [
    ("Event", [:] as JSONTree), ("SharedEvent", ["session": ["type": "string"]]),
  ].flatMap { name, session in
    StreamFormats.all.enumerated().map { index, format in
      (name + suffix(index), format.schema(of: events(with: session)))
    }
  }

  private static func suffix(_ index: Int) -> String {
    index == 0 ? "" : "As.\(StreamFormats.all[index].mediaType.split(separator: "/").last ?? "")"
  }

  private static func events(with session: JSONTree) -> [(name: String, members: JSONTree)] {
    let snapshot: JSONTree = ["version": schema("Version"), "state": schema("State")]
    let patch: JSONTree = [
      "from": schema("Version"), "version": schema("Version"),
      "patch": ["type": "array", "items": operation],
    ]
    let end: JSONTree = ["reason": ["enum": ["deleted", "expired"]]]
    return [("state", snapshot), ("patch", patch), ("end", end)].map { name, members in
      (name, session.adding(members))
    }
  }

  /// RFC 6902, as far as patches here go.
  private static let operation: JSONTree = [
    "type": "object",
    "properties": [
      "op": ["enum": ["add", "remove", "replace"]], "path": ["type": "string"], "value": [:],
    ],
    "required": ["op", "path"],
  ]
}
