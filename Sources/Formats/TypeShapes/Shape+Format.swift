import FusionStrictJSON

extension Shape {
  /// What a type of Foundation or the standard library is written as: one text, or a number that
  /// means something.
  package enum Format: Sendable, Hashable {
    case dateTime, url, uuid, decimal, base64, seconds

    /// By the names of JSON Schema draft 2020-12: "format" of its validation's section 7.3,
    /// "contentEncoding" of section 8.3.
    var schema: JSONTree {
      switch self {
      case .dateTime: ["type": "string", "format": "date-time"]
      case .url: ["type": "string", "format": "uri-reference"]
      case .uuid: ["type": "string", "format": "uuid"]
      case .decimal: ["type": "string", "pattern": .string(Self.number)]
      case .base64: ["type": "string", "contentEncoding": "base64"]
      case .seconds: ["type": "number", "description": "Seconds."]
      }
    }

    /// RFC 8259 section 6.
    private static let number = #"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"#

    func fits(_ tree: JSONTree) -> Bool {
      switch (self, tree) {
      case (.seconds, .number): true
      case (.dateTime, .string), (.url, .string), (.uuid, .string), (.decimal, .string),
        (.base64, .string):
        true
      default: false
      }
    }
  }
}
