/// The world outside of the service: what effects do there stays done, whatever becomes of the process.
package protocol EffectLog: Sendable {
  func begin(_ number: InputNumber)
}
