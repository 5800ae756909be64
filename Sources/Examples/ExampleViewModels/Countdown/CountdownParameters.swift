extension CountdownViewModel {
  /// What a client may hand over for a new session: `{"seconds":10}`.
  package struct Parameters: Decodable, Sendable {
    /// Where to begin; 10 unless a client says.
    package let seconds: Int?

    private enum CodingKeys: CodingKey {
      case seconds
    }

    package init() {
      seconds = nil
    }

    /// Throws a `DecodingError` where it makes no sense, so that the answer names the member.
    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      seconds = try container.decodeIfPresent(Int.self, forKey: .seconds)
      guard (seconds ?? 0) >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: .seconds,
          in: container,
          debugDescription: "a countdown starts at 0 seconds or more"
        )
      }
    }
  }
}
