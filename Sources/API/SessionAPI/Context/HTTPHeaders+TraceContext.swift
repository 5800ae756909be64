import FusionHTTPMessages
import UIFusionKit

extension HTTPHeaders {
  /// The trace that a request belongs to; nil where it names none, or several (W3C Trace Context §3.2).
  var traceContext: TraceContext? {
    guard self["traceparent"] != nil, let value = list("traceparent") else { return nil }
    return TraceContext(traceparent: value)
  }
}
