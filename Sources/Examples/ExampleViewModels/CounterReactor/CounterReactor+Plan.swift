package import UIFusionKit

extension CounterReactor: Planned {
  package static let plan: [PlannedInput<CounterReactor>] = [
    .input(
      .increment,
      "increment 버튼 선택",
      [
        .action(
          .update(1),
          [
            "count": "값이 1 증가합니다.",
            "message": "\"카운트가 1로 업데이트되었습니다\"가 트리거됩니다.",
          ]
        )
      ]
    ),
    .input(
      .decrement,
      "decrement 버튼 선택",
      [
        .action(
          .update(-1),
          [
            "count": "값이 1 감소합니다.",
            "message": "\"카운트가 -1로 업데이트되었습니다\"가 트리거됩니다.",
          ]
        )
      ]
    ),
    .input(
      .reset,
      "reset 버튼 선택",
      after: [.increment],
      [
        .action(
          .update(0),
          [
            "count": "값이 0으로 초기화됩니다.",
            "message": "\"카운트가 0로 업데이트되었습니다\"가 트리거됩니다.",
          ]
        )
      ]
    ),
    .input(
      .reset,
      "값이 이미 0일 때 reset 버튼 선택",
      [
        .action(
          .update(0),
          [
            "count": "값은 0 그대로이지만 다시 트리거됩니다: pulse가 1 증가합니다.",
            "message": "\"카운트가 0로 업데이트되었습니다\"가 트리거됩니다.",
          ]
        )
      ]
    ),
    .input(
      .incrementSlowly,
      "incrementSlowly 버튼 선택",
      [
        .action(.setLoading(true), ["isLoading": "기다리는 0.5초 동안 true로 설정됩니다."]),
        .action(.setCount(1), ["count": "0.5초 뒤에 값이 1 증가합니다."]),
        .action(.setLoading(false), ["isLoading": "false로 설정됩니다."]),
        .action(.setMessage("increased!"), ["message": "\"increased!\"가 트리거됩니다."]),
      ]
    ),
  ]
}
