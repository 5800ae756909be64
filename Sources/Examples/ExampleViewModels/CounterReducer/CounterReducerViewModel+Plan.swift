package import UIFusionKit

extension CounterReducerViewModel: Planned {
  package static let plan: [PlannedInput<CounterReducerViewModel>] = [
    .input(
      .increment,
      "increment 버튼 선택",
      [.action(.increment, ["count": "값이 1 증가합니다."])]
    ),
    .input(
      .decrement,
      "decrement 버튼 선택",
      [.action(.decrement, ["count": "값이 1 감소합니다."])]
    ),
    .input(
      .fetch,
      "fetch 버튼 선택",
      [
        .action(.fetch, ["isLoading": "true로 설정되고, 1초 걸리는 요청이 시작됩니다."]),
        .action(
          .fetched(42),
          [
            "count": "받은 수(1~100)로 설정됩니다.",
            "isLoading": "false로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .fetch,
      "요청이 진행 중일 때 fetch 버튼 선택",
      after: [.fetch],
      delay: .milliseconds(500),
      [
        .action(.fetch),
        .action(
          .fetched(42),
          [
            "count": "새 요청의 수로 한 번만 설정됩니다: 앞선 요청은 취소됩니다.",
            "isLoading": "false로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .cancelFetch,
      "요청이 진행 중일 때 cancelFetch 버튼 선택",
      after: [.fetch],
      delay: .milliseconds(500),
      [.action(.cancelFetch, ["isLoading": "false로 설정됩니다. count는 그대로이고, 늦은 응답은 오지 않습니다."])]
    ),
    .input(
      .cancelFetch,
      "요청이 없을 때 cancelFetch 버튼 선택: 아무것도 바뀌지 않습니다.",
      [.action(.cancelFetch)]
    ),
  ]
}
