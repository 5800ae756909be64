import FusionStrictJSON

/// The result of a check before a deploy: what the new program makes of the stored sessions and, if that was asked
/// for, what the old one would make of those that the new one stores.
struct DeployCheckResult {
  let new: DeployReport
  /// The report of going back; nil if no old program was named.
  var old: DeployReport?

  private var isSafeToGoBack: Bool { old.map { $0.refused == 0 } ?? true }

  /// The exit code: 0 if nothing speaks against the deploy; 1 if the new program could not go on with a session; 3 if
  /// only States come out otherwise; 4 if the old program could not go on with what the new one stores.
  var status: Int32 {
    if new.refused > 0 { return 1 }
    if !isSafeToGoBack { return 4 }
    return new.different > 0 ? 3 : 0
  }

  /// The result for people.
  func text(of store: StoreLocation) -> String {
    guard new.count > 0 else { return "no sessions in \(store)\n" }
    var text = new.text
    if let old, old.refused > 0 {
      text += "going back, the old program finds:\n"
      text += old.text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
    return text + sentence + "\n"
  }

  /// The last line.
  private var sentence: String {
    let back =
      old == nil ? "" : isSafeToGoBack ? " Going back is safe." : " Going back is NOT safe."
    if new.refused > 0 {
      return "do not deploy: \(new.refused) of \(new.count) sessions cannot go on." + back
    }
    let verb = new.different == 1 ? "comes" : "come"
    let different =
      new.different == 0
      ? "" : " \(new.different) \(verb) out otherwise: deploy if that is what the change is for."
    let all = new.count == 1 ? "the session" : "all \(new.count) sessions"
    return "\(all) can go on.\(different)\(back)"
  }

  /// An object of JSON for each view model, and one for the whole.
  var jsonLines: String {
    var result: JSONTree = [
      "result": .string(new.refused > 0 ? "refused" : new.different > 0 ? "different" : "same"),
      "sessions": .number("\(new.count)"), "refused": .number("\(new.refused)"),
      "different": .number("\(new.different)"),
    ]
    if let old {
      result = result.adding([
        "goingBack": .string(isSafeToGoBack ? "safe" : "refused"), "old": .array(old.json),
      ])
    }
    return (new.json + [result]).map { $0.text + "\n" }.joined()
  }
}
