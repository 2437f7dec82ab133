import { hasForgottenActivity } from '../../../worker/left-behind';

const historyOf = (...activityIds: string[]) => ({
  events: [
    { workflowExecutionStartedEventAttributes: {} },
    ...activityIds.map((activityId) => ({ activityTaskScheduledEventAttributes: { activityId } })),
  ],
});

test('a number that is left out among the activities of a run shows that its history was put back', () => {
  // As it was after Temporal had forgotten the commands of a session, which then only answered when it was asked.
  expect(hasForgottenActivity(historyOf('1', '2', '3', '5', '6'))).toBe(true);
  expect(hasForgottenActivity(historyOf('2'))).toBe(true);
});

test('activities that are numbered one after another are all that a run has begun', () => {
  expect(hasForgottenActivity(historyOf('1', '2', '3'))).toBe(false);
  expect(hasForgottenActivity(historyOf())).toBe(false);
});
