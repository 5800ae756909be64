import FusionHTTPToolkit
import FusionMetrics
import FusionSessions
import UIFusionKit

extension SessionAPI {
  package typealias Options = SessionAPIOptions
}

extension SessionAPIOptions {
  /// Returns the steps of every response, without those that are not configured.
  func steps(
    _ metrics: Metrics,
    _ refusals: RefusalMetrics,
    _ router: Router<SessionResources>
  ) -> [any ResponseStep] {
    var steps: [any ResponseStep] = [
      RequestMetrics(metrics, router), InputMetrics(metrics), refusals,
    ]
    let documents = ProblemDocument(below: basePath.text)
    if isTiming { steps.append(ServerTiming(readableBy: access.origins)) }
    if let log {
      let requestLog = RequestLog(
        documents,
        subject: { $0["id", as: SessionID.self]?.redacted ?? $0["id", as: ShareID.self]?.redacted },
        trace: { $0.traceContext?.traceID },
        write: log
      )
      steps.append(requestLog)
    }
    if !access.origins.isEmpty {
      let sharing = CrossOriginSharing(
        with: access.origins,
        accepting: [
          "Content-Type", "Prefer", "If-Match", "If-None-Match", "Idempotency-Key",
          "Last-Event-ID", "X-Request-Id", "traceparent",
        ] + (authenticate == nil ? [] : ["Authorization", "If-Sender"]),
        exposing: [
          "ETag", "Location", "Preference-Applied", "Idempotency-Replayed", "Retry-After",
          "Settled", "X-Request-Id",
        ] + (authenticate == nil ? [] : ["Sender"]),
        acceptsOthers: programReadsHeaders || wrapper != nil || !routes.isEmpty
      )
      steps.append(sharing)
    }
    return steps + [documents]
  }
}
