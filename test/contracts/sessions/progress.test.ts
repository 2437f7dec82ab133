import fc from 'fast-check';
import { ExecutionProgressSchema, progressOf } from '../../../contracts/sessions/progress';

const lastActivity = new Date('2026-01-02T03:04:05.006Z');
const facts = {
  sessionId: 's',
  totalSteps: 3,
  completedSteps: 0,
  durationMs: 0,
  currentStepName: 'a',
  currentStepIndex: 0,
  lastActivity,
};

test('S1.60: before any step is done there is no estimate', () => {
  expect(progressOf(facts)).toEqual({
    sessionId: 's',
    totalSteps: 3,
    completedSteps: 0,
    currentStepIndex: 0,
    currentStepName: 'a',
    overallProgress: 0,
    averageStepDuration: 0,
    lastActivity,
  });
});

test('S1.60: the time left is the mean of the finished steps times those that are open', () => {
  expect(
    progressOf({ ...facts, completedSteps: 2, durationMs: 3001, currentStepName: 'c', currentStepIndex: 2 }),
  ).toMatchObject({
    completedSteps: 2,
    currentStepName: 'c',
    overallProgress: 67,
    estimatedTimeRemaining: 1501,
    averageStepDuration: 1501,
  });
});

test('S1.60: at the end everything is done and nothing is left', () => {
  expect(progressOf({ ...facts, completedSteps: 3, durationMs: 6, currentStepIndex: 2 })).toMatchObject({
    overallProgress: 100,
    estimatedTimeRemaining: 0,
  });
});

test('[S1.R24, S1.60] progress is within 0 to 100 and never falls as steps finish', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.array(fc.nat(600_000), { maxLength: 100 }), (total, durations) => {
      let before = 0;
      for (let done = 0; done <= Math.min(total, durations.length); done += 1) {
        const durationMs = durations.slice(0, done).reduce((sum, each) => sum + each, 0);
        const currentStepIndex = Math.min(done, total - 1);
        const progress = progressOf({
          ...facts,
          totalSteps: total,
          completedSteps: done,
          durationMs,
          currentStepIndex,
        });
        expect(ExecutionProgressSchema.safeParse(progress).success).toBe(true);
        expect(progress.overallProgress).toBeGreaterThanOrEqual(before);
        before = progress.overallProgress;
      }
    }),
  );
});
