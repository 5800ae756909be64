package import UIFusionKit

extension AutoRefreshViewModel: Planned {
  package static let plan: [PlannedInput<AutoRefreshViewModel>] = [
    .input(
      .start,
      "start 버튼 선택",
      [
        .action(
          .start,
          [
            "count": "첫 번째 불러오기로 1 증가합니다.",
            "isRunning": "true로 설정되고, 5초 타이머가 시작됩니다.",
            "isLoading": "true로 설정됩니다.",
          ]
        ),
        .action(
          .loaded([]),
          [
            "data": "새 데이터로 바뀝니다.",
            "isLoading": "0.5초 뒤에 false로 설정됩니다.",
          ]
        ),
        .action(
          .refresh,
          [
            "count": "5초마다 1 증가합니다.",
            "isLoading": "true로 설정되고, 다시 불러옵니다.",
          ]
        ),
      ]
    ),
    .input(
      .start,
      "이미 진행 중일 때 start 버튼 선택: 타이머는 그대로 이어집니다.",
      after: [.start],
      delay: .seconds(3),
      [
        .action(.start),
        .action(
          .refresh,
          [
            "count": "5초마다 1 증가합니다.",
            "isLoading": "true로 설정되고, 다시 불러옵니다.",
          ]
        ),
        .action(
          .loaded([]),
          [
            "data": "새 데이터로 바뀝니다.",
            "isLoading": "0.5초 뒤에 false로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .refresh,
      "refresh 버튼 선택",
      [
        .action(
          .refresh,
          [
            "count": "값이 1 증가합니다.",
            "isLoading": "true로 설정됩니다.",
          ]
        ),
        .action(
          .loaded([]),
          [
            "data": "새 데이터로 바뀝니다.",
            "isLoading": "0.5초 뒤에 false로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .stop,
      "진행 중일 때 stop 버튼 선택",
      after: [.start],
      delay: .seconds(3),
      [.action(.stop, ["isRunning": "false로 설정되고, count와 data는 그대로 멈춥니다."])]
    ),
    .input(
      .stop,
      "불러오는 중에 stop 버튼 선택",
      after: [.start],
      delay: .milliseconds(200),
      [
        .action(
          .stop,
          [
            "isRunning": "false로 설정됩니다.",
            "isLoading": "false로 설정되고, 불러오기가 취소됩니다.",
          ]
        )
      ]
    ),
  ]
}
