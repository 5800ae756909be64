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
  /// A message to a name waits for as long as no session has it, for the next one that gets it. A receiver that has
  /// taken it is asked again whether it has settled, and has ``settlingTime`` to do so.
  func deliver(_ envelope: Envelope) async -> Delivery {
    if let id = envelope.receiver { return await deliver(envelope, to: id) }
    let address = envelope.message.address
    let id: SessionID
    switch await host.find(address, for: envelope.identity) {
    case .success(let found?): id = found
    case .success(nil): return host.isFree(address) ? .failed : .refused(nil)
    case .failure: return .failed
    }
    let delivery = await deliver(envelope, to: id)
    guard case .refused = delivery, host.isFree(address) else { return delivery }
    // Unless the session has ended, and with it its hold of the name.
    return switch await host.find(address, for: envelope.identity) {
    case .success(id): delivery
    case .success, .failure: .failed
    }
  }

  /// The seconds for which a receiver is asked whether it has settled, at once.
  fileprivate static let settlingTime = 10

  private func deliver(_ envelope: Envelope, to id: SessionID) async -> Delivery {
    let sender = RequestSender(
      session: "\(envelope.sender)",
      of: envelope.identity,
      isReply: envelope.message.isReply
    )
    return await withCheckedContinuation { done in
      let outcome = DeliveryOutcome(done, by: id)
      deliver(envelope, by: Claim(.send, to: id, by: sender), outcome)
    }
  }

  private func deliver(_ envelope: Envelope, by claim: Claim, _ outcome: DeliveryOutcome) {
    access.open(claim, asForwarded: { envelope.request(to: claim) }, outcome) {
      found throws(Problem) in
      let grant = try found()
      let isTaken = envelope.receiver != nil
      if isTaken { outcome.end(after: Self.settlingTime, host.timeouts) }
      do throws(MemoryFull) {
        try grant.session.requireMemory(forBody: envelope.message.input.count)
      } catch {
        throw Problem(error)
      }
      // What was taken is not to be applied again, even if the receiver has forgotten it.
      let never: @Sendable (_ version: Int) -> Bool = { _ in false }
      let observer = DeliveryObserver(outcome, waits: isTaken) {
        deliver(envelope, by: claim, outcome)
      }
      do {
        let submission = try grant.session.submit(
          envelope.message.input,
          from: InputOrigin(
            request: nil,
            trace: nil,
            sender: envelope.identity.map { Identity(id: $0) },
            session: "\(envelope.sender)",
            isForeign: grant.isForeign,
            isUnderRules: grant.isUnderRules
          ),
          key: RequestKey(message: envelope.key),
          if: isTaken ? never : nil,
          permit: grant.permit,
          answer: .minimal,
          observer: observer
        )
        switch submission {
        case .accepted: break
        case .running(let inputs): inputs.observe(observer)
        case .complete:
          Task.detached(executorPreference: host.dependencies.executor) {
            switch await grant.session.isHandingOver(to: "\(envelope.sender)") {
            case true?: outcome.takenUnsettled()
            case false?: outcome(.delivered)
            case nil: outcome(.failed)
            }
          }
        case .mismatch: outcome(.refused(nil))
        }
      } catch let error as SubmitError {
        outcome([.queueFull, .asleep].contains(error) ? .failed : .refused(nil))
      } catch let error as InputError {
        outcome(Delivery(error.problem(known: [])))
      } catch let problem as Problem {
        outcome(Delivery(problem))
      } catch {
        outcome(.refused(nil))
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
    if receiver != nil {
      request.headers["Prefer"] = "return=minimal, wait=\(MessageDelivery.settlingTime)"
      // No version: the message is not to be applied again, even if the receiver has forgotten it.
      request.headers["If-Match"] = "\"0\""
    }
    request.sender = claim.sender
    return request
  }
}

/// The task that waits for a message's delivery; told once, by the receiver or by another node's response.
private final class DeliveryOutcome: HTTPResponder {
  private let waiting: Mutex<CheckedContinuation<Delivery, Never>?>
  private let receiver: SessionID
  private let cleanup = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ waiting: CheckedContinuation<Delivery, Never>, by receiver: SessionID) {
    self.waiting = Mutex(waiting)
    self.receiver = receiver
  }

  /// Gives up after some seconds: the receiver has not settled by then.
  func end(after seconds: Int, _ timeouts: Timeouts) {
    let timeout = timeouts.start(after: .seconds(seconds)) { [weak self] in self?.takenUnsettled() }
    cleanup.withLock { $0 = { timeouts.stop(timeout) } }
  }

  func takenUnsettled() { self(.unsettled(by: "\(receiver)")) }

  func callAsFunction(_ delivery: Delivery) {
    guard let done = waiting.withLock({ $0.take() }) else { return }
    cleanup.withLock { $0.take() }?()
    done.resume(returning: delivery)
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    if response.status == 204, response.headers["Settled"] == "false" { return takenUnsettled() }
    let problem = response.problem
    self(Delivery(status: response.status, problem: problem?.name, problem?.detail))
  }

  deinit {
    cleanup.withLock { $0.take() }?()
    waiting.withLock { $0.take() }?.resume(returning: .failed)
  }
}

/// The observer of a message's Input.
private final class DeliveryObserver: InputObserver {
  private let outcome: DeliveryOutcome
  /// Whether the Input was processed before, and is only to settle.
  private let waits: Bool
  private let again: @Sendable () -> Void

  init(_ outcome: DeliveryOutcome, waits: Bool, again: @escaping @Sendable () -> Void) {
    (self.outcome, self.waits, self.again) = (outcome, waits, again)
  }

  func didProgress(to progress: SubmittedInputs.Progress, of inputs: SubmittedInputs) {
    switch progress {
    case .processed(_, isSettled: true), .settled: outcome(.delivered)
    case .processed: if !waits { outcome.takenUnsettled() }
    case .interrupted where waits, .abandoned: outcome(.failed)
    case .interrupted: outcome.takenUnsettled()
    case .rejected(let rejection, let index): outcome(Delivery(Problem(rejection, at: index)))
    case .failed(let error): outcome(Delivery(Problem(error)))
    case .refused, .ended: outcome(.refused(nil))
    case .withdrawn: again()
    }
  }
}

extension Delivery {
  private static func concernsInput(_ name: String?) -> Bool {
    [Problem.notPermitted, .notPermittedNow, .invalidInput].contains { $0.name == name }
  }

  fileprivate init(_ problem: Problem) {
    self.init(status: problem.status, problem: problem.name, problem.detail)
  }

  /// Interprets an answer: it is a failure, to be retried, if another build, time or node may answer differently.
  ///
  /// `detail` is told to the sender where it is about the Input, and is no advice for a client.
  fileprivate init(status: Int, problem name: String?, _ detail: String?) {
    switch status {
    case 200..<300: self = .delivered
    // A State that the current build cannot decode.
    case 410 where name == Problem.unreadableSession.name: self = .failed
    // A node whose build does not support messages does not know their sender.
    case 401, 408, 429: self = .failed
    // The receiver has too many waiting messages of its own.
    case 422 where name == Problem.tooManyAlarms.name: self = .failed
    case 400..<500: self = .refused(Self.concernsInput(name) ? detail : nil)
    case 500:
      let isUndone = [Problem.stateNotWritable, .alarmNotWritable].contains { $0.name == name }
      self = isUndone ? .refused(nil) : .failed
    default: self = .failed
    }
  }
}

extension HTTPResponse {
  /// The problem, even if it comes from another node; nil if the response is none.
  fileprivate var problem: (name: String, detail: String?)? {
    switch body {
    case .problem(let problem): return (problem.name, problem.detail)
    case .bytes(let bytes):
      let root = try? JSONDocument(bytes).root
      let name = root?["type"]?.string?.split(separator: "/").last
      return name.map { ("\($0)", root?["detail"]?.string) }
    default: return nil
    }
  }
}
