import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON
import Synchronization
import UIFusionKit

/// The delivery of messages to their receivers, whichever nodes own them.
struct MessageDelivery: Sendable {
  let access: SessionAccess
  let host: HostServices

  /// Submits a message's Input to its receiver, under a key by which it is applied only once.
  ///
  /// A message to a name waits for as long as no session has it, for the next one that gets it.
  func deliver(_ envelope: Envelope) async -> Delivery {
    let address = envelope.message.address
    let id: SessionID
    switch await host.find(address, for: envelope.identity) {
    case .success(let found?): id = found
    case .success(nil): return host.isFree(address) ? .failed : .refused
    case .failure: return .failed
    }
    let sender = RequestSender(session: "\(envelope.sender)", of: envelope.identity)
    let delivery = await withCheckedContinuation { done in
      let outcome = DeliveryOutcome(done)
      deliver(envelope, by: Claim(.send, to: id, by: sender), outcome)
    }
    guard case .refused = delivery, host.isFree(address) else { return delivery }
    // Unless the session has ended, and with it its hold of the name.
    return switch await host.find(address, for: envelope.identity) {
    case .success(id): .refused
    case .success, .failure: .failed
    }
  }

  private func deliver(_ envelope: Envelope, by claim: Claim, _ outcome: DeliveryOutcome) {
    access.open(claim, asForwarded: { envelope.request(to: claim) }, outcome) {
      found throws(Problem) in
      let grant = try found()
      do throws(MemoryFull) {
        try grant.session.requireMemory(forBody: envelope.message.input.count)
      } catch {
        throw Problem(error)
      }
      let observer = DeliveryObserver(outcome) { deliver(envelope, by: claim, outcome) }
      do {
        let submission = try grant.session.submit(
          envelope.message.input,
          from: InputOrigin(
            request: nil,
            trace: nil,
            sender: envelope.identity.map { Identity(id: $0) },
            session: "\(envelope.sender)",
            isForeign: grant.isForeign
          ),
          key: RequestKey(message: envelope.key),
          permit: grant.permit,
          answer: .minimal,
          observer: observer
        )
        switch submission {
        case .accepted: break
        case .running(let inputs): inputs.observe(observer)
        case .complete: outcome(.delivered)
        case .mismatch: outcome(.refused)
        }
      } catch let error as SubmitError {
        outcome([.queueFull, .asleep].contains(error) ? .failed : .refused)
      } catch {
        // What is wrong with the Input.
        outcome(.refused)
      }
    }
  }
}

extension Envelope {
  /// The request by which another node gets the message.
  fileprivate func request(to claim: Claim) -> HTTPRequest {
    var request = HTTPRequest(
      .post,
      RequestTarget(segments: ["sessions", claim.id.description, "inputs"]),
      headers: [
        "Content-Type": "application/json", "Idempotency-Key": key, "Prefer": "return=minimal",
      ],
      body: message.input
    )
    request.sender = claim.sender
    return request
  }
}

/// The task that waits for a message's delivery; told once, by the receiver or by another node's response.
private final class DeliveryOutcome: HTTPResponder {
  private let waiting: Mutex<CheckedContinuation<Delivery, Never>?>

  init(_ waiting: CheckedContinuation<Delivery, Never>) {
    self.waiting = Mutex(waiting)
  }

  func callAsFunction(_ delivery: Delivery) {
    waiting.withLock { $0.take() }?.resume(returning: delivery)
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    self(Delivery(status: response.status, problem: response.problemName))
  }

  deinit {
    waiting.withLock { $0.take() }?.resume(returning: .failed)
  }
}

/// The observer of a message's Input.
private final class DeliveryObserver: InputObserver {
  private let outcome: DeliveryOutcome
  private let again: @Sendable () -> Void

  init(_ outcome: DeliveryOutcome, again: @escaping @Sendable () -> Void) {
    (self.outcome, self.again) = (outcome, again)
  }

  func didProgress(to progress: SubmittedInputs.Progress, of inputs: SubmittedInputs) {
    switch progress {
    case .processed, .settled, .interrupted: outcome(.delivered)
    case .rejected(let invalid, let index): outcome(Delivery(Problem(invalid, at: index)))
    case .failed(let error): outcome(Delivery(Problem(error)))
    case .refused, .ended, .abandoned: outcome(.refused)
    case .withdrawn: again()
    }
  }
}

extension Delivery {
  fileprivate init(_ problem: Problem) {
    self.init(status: problem.status, problem: problem.name)
  }

  /// Interprets an answer: it is a failure, to be retried, if another build, time or node may answer differently.
  fileprivate init(status: Int, problem name: String?) {
    switch status {
    case 200..<300: self = .delivered
    // A State that the current build cannot decode.
    case 410 where name == Problem.unreadableSession.name: self = .failed
    // A node whose build does not support messages does not know their sender.
    case 401, 408, 429: self = .failed
    // The receiver has too many waiting messages of its own.
    case 422 where name == Problem.tooManyAlarms.name: self = .failed
    case 400..<500: self = .refused
    case 500:
      let isUndone = [Problem.stateNotWritable, .alarmNotWritable].contains { $0.name == name }
      self = isUndone ? .refused : .failed
    default: self = .failed
    }
  }
}

extension HTTPResponse {
  /// The name of the problem, even if it comes from another node; nil if the response is not a problem.
  fileprivate var problemName: String? {
    switch body {
    case .problem(let problem): problem.name
    case .bytes(let bytes):
      (try? JSONDocument(bytes).root["type"]?.string?.split(separator: "/").last).map { "\($0)" }
    default: nil
    }
  }
}
