import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// The JSON form in which State leaves the service.
extension Snapshot {
  /// Appends `"version":7,"state":{…}`, the common members of all these objects.
  func appendMembers(to bytes: inout [UInt8]) {
    bytes.append(utf8: "\"version\":")
    bytes.appendInteger(version)
    bytes.append(utf8: ",\"state\":")
    shown.append(to: &bytes)
  }

  /// Returns the answer to Inputs.
  func answer(isSettled: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(shownSize + 56)
    bytes.append(UInt8(ascii: "{"))
    appendMembers(to: &bytes)
    bytes.append(utf8: Self.answerEnd(isSettled: isSettled))
    return bytes
  }

  /// Returns the end of an object after the members; without `settled` if that is nil.
  static func answerEnd(isSettled: Bool?) -> String {
    switch isSettled {
    case true?: ",\"settled\":true}"
    case false?: ",\"settled\":false}"
    case nil: "}"
    }
  }

  /// The snapshot as an object.
  var text: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(shownSize + 40)
    bytes.append(UInt8(ascii: "{"))
    appendMembers(to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Returns the whole session as an object; for the holder of a share, with the share's id.
  func description(of session: Session, by share: ShareID? = nil, isSettled: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(shownSize + 128)
    bytes.append(utf8: "{\"id\":\"")
    bytes.append(utf8: share?.description ?? session.id.description)
    bytes.append(utf8: "\",\"viewModel\":")
    bytes.appendLiteral(session.viewModel.name)
    bytes.append(UInt8(ascii: ","))
    appendMembers(to: &bytes)
    bytes.append(utf8: Self.answerEnd(isSettled: isSettled))
    return bytes
  }

  /// The version as an entity tag.
  var tag: String { entityTag(of: version) }
}

/// Returns a version as an entity tag.
func entityTag(of version: Int) -> String {
  "\"\(version)\""
}
