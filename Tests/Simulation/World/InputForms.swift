/// A client's request body: one Input or a batch, as JSON.
struct InputForms {
  let body: String
  /// The numbers that will appear in State.
  private(set) var numbers: [Int] = []
  /// The numbers for which work begins.
  private(set) var workNumbers: [Int] = []

  init(_ body: String) {
    self.body = body
  }

  /// Creates a random body.
  init(for model: ModelKind, _ world: World) {
    let scheduler = world.scheduler
    let count = scheduler.chance(30) ? 2 + scheduler.below(model == .book ? 5 : 2) : 1
    var inputs: [String] = []
    for _ in 0..<count {
      let number = world.nextNumber()
      var name = "add"
      if model == .alarm, scheduler.chance(30) { name = "knock" }
      if model == .courier, let other = world.anyCourier, scheduler.chance(80) {
        let receiver = scheduler.chance(10) ? Courier.nobody : "\(other.id)"
        inputs.append(#"{"pass":{"_0":\#(number),"to":"\#(receiver)"}}"#)
        numbers.append(number)
        continue
      }
      if model == .reminder || model == .team, scheduler.chance(25) { name = "cancel" }
      if model.isOverlapping, scheduler.chance(30) {
        name = "later"
        scheduler.coverage.add(.overlappingInput)
      }
      if model == .alarm, number % 2 == 1 { scheduler.coverage.add(.queuedEffect) }
      inputs.append(#"{"\#(name)":\#(number)}"#)
      if name != "knock" { numbers.append(number) }
      if !model.isWithoutWork { workNumbers.append(number) }
    }
    body = count == 1 ? inputs[0] : "[\(inputs.joined(separator: ","))]"
  }
}
