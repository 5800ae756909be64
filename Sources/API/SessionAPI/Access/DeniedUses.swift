import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON
import FusionTypeShapes
import UIFusionKit

/// The uses that a view model's rule denies to a sender, whichever session they are of.
struct DeniedUses: Sendable {
  /// The sentences by the names of uses; without Inputs.
  private var uses: [JSONTree.Member] = []
  /// The sentences by the names of Inputs, as the rule answers for an example of each.
  private var inputs: [JSONTree.Member] = []

  /// Asks a view model's rule; nil if it has none, or the sender is the program.
  ///
  /// An Input with values may be denied or allowed for other values than those of its example.
  init?(to sender: RequestSender?, by viewModel: HostedViewModel, _ spec: ViewModelSpec) {
    guard let rule = viewModel.accessRule, sender !== RequestSender.program else { return nil }
    let person = sender?.person
    let named: [(String, SessionUse<Never>)] = [
      ("read", .read), ("end", .end), ("share", .share), ("fork", .fork), ("inspect", .inspect),
    ]
    for (name, use) in named {
      guard case .denied(let reason) = rule.access(person, use) else { continue }
      uses.append(.init(name, .string(reason)))
    }
    for input in spec.input.inputs {
      guard let example = spec.examples(of: input).first,
        let batch = try? viewModel.read(example.bytes, 0, Reader()),
        let (_, reason) = rule.refusal(person, batch)
      else { continue }
      inputs.append(.init(input.name, .string(reason)))
    }
  }

  var json: JSONTree { .object(uses + [.init("inputs", .object(inputs))]) }

  /// The reader of an example, which nobody submits.
  private final class Reader: BatchOwner {
    func didProgress(to progress: InputBatch.Progress) {}
  }
}
