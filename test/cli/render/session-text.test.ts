import type { SessionConfig } from '../../../contracts/sessions/config';
import { givenRequestOf } from '../../../contracts/sessions/given-request';
import { toSteps } from '../../../contracts/sessions/to-steps';
import { resolveConfig } from '../../../contracts/sessions/resolve-config';
import { lineText } from '../../../cli/render/event-lines';
import {
  budgetLine,
  callLines,
  headline,
  stepLines,
  variableLines,
  waitingLines,
} from '../../../cli/render/session-text';
import type { SessionDetails } from '../../../service/port/port';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { StepResult } from '../../../contracts/steps/step-result';
import { sessionUsage } from '../../../contracts/models/usage';
import { anError, SESSION_ID } from '../builders';

function aResult(given: Partial<StepResult> & Pick<StepResult, 'stepIndex'>): StepResult {
  const finalPageState = { dom: '', screenshotId: '', url: 'about:blank' };
  return {
    success: true,
    executedCommands: [],
    commandResults: [],
    aiReasoning: '',
    duration: 1200,
    finalPageState,
    ...given,
  };
}

function parsedConfig(): SessionConfig {
  const resolved = resolveConfig();
  if (resolved.kind === 'invalid') throw new Error('The defaults are not valid.');
  return resolved.config;
}

function details(status: SessionStatus, stepResults: StepResult[]): SessionDetails {
  const steps = ['Open', 'Pay', 'Save'];
  const at = new Date('2026-01-02T03:04:05Z');
  return {
    title: 'Open',
    session: {
      sessionId: SESSION_ID,
      executorSessionId: 'x',
      aiConnectionId: 'default',
      createdAt: at,
      lastActivity: at,
      status,
      metadata: { steps, totalSteps: 3 },
    },
    request: givenRequestOf({
      steps: toSteps(steps, parsedConfig()),
      config: parsedConfig(),
      variables: {},
      warnings: [],
      metadata: {},
    }),
    answer: null,
    result: null,
    progress: {
      sessionId: SESSION_ID,
      totalSteps: 3,
      completedSteps: 1,
      currentStepIndex: 1,
      currentStepName: 'Pay',
      overallProgress: 33,
      averageStepDuration: 1200,
      lastActivity: at,
    },
    stepResults,
    approvals: [],
    variables: [],
    error: null,
    webhook: null,
    mails: [],
    waitingFor: null,
    usage: sessionUsage([]),
    budget: null,
    workflowId: SESSION_ID,
    lastSeq: 9,
  };
}

test('a running session shows what is done, what runs and what is to come', () => {
  const running = details(SessionStatus.ACTIVE, [aResult({ stepIndex: 0 })]);
  expect(headline(running)).toBe('ACTIVE · 1 of 3 steps · started 2026-01-02 03:04:05 UTC');
  expect(stepLines(running).map(lineText)).toEqual(['1. ✓ Open  1.2 s', '2. ▶ Pay', '3. · Save']);
});

test('the cost of the model shows beside it, with calls of unknown price', () => {
  const call = { calls: 2, inputTokens: 900, outputTokens: 100, cachedTokens: 0, totalTokens: 1000, stepIndex: 0 };
  const withUsage = (change: object) => ({
    ...details(SessionStatus.ACTIVE, []),
    usage: sessionUsage([{ ...call, cost: '0.0012', unpricedCalls: 0, isEstimated: false, ...change }]),
  });
  expect(headline(withUsage({}))).toMatch(/ · 2 model calls, 1000 tokens, \$0\.0012 \(0\.12 credits\)$/);
  expect(headline(withUsage({ unpricedCalls: 1, isEstimated: true }))).toMatch(
    / · 2 model calls, about 1000 tokens, \$0\.0012 \(0\.12 credits\) and calls of unknown price$/,
  );
  expect(headline(withUsage({ cost: '0', unpricedCalls: 2 }))).toMatch(/price unknown$/);
});

test('a bill is shown call by call', () => {
  const call = {
    callId: 'c',
    stepIndex: 0,
    turn: 1,
    model: 'vertexai/gemini-2.5-flash',
    outcome: 'replied',
    at: new Date(0),
    inputTokens: 1200,
    outputTokens: 80,
    cachedTokens: 0,
    priceTable: 't',
    durationMs: 1200,
  };
  const lost = { ...call, turn: 2, outcome: 'lost', isEstimated: true, cost: null, outputTokens: 0 };
  expect(callLines([{ ...call, isEstimated: false, cost: '0.00056' }, lost])).toEqual([
    'CALL  MODEL                      OUTCOME  IN          CACHED  OUT  COST      TOOK',
    '1.2   vertexai/gemini-2.5-flash  replied  1200        0       80   $0.00056  1.2 s',
    '1.3   vertexai/gemini-2.5-flash  lost     about 1200  0       0    unknown   1.2 s',
  ]);
});

test('a budget is shown with what is used of it', () => {
  const call = { calls: 2, inputTokens: 900, outputTokens: 100, cachedTokens: 0, totalTokens: 1000, stepIndex: 0 };
  const usage = sessionUsage([{ ...call, cost: '0.0012', unpricedCalls: 0, isEstimated: false }]);
  const running = { ...details(SessionStatus.ACTIVE, []), usage };
  expect(budgetLine(running)).toBeUndefined();
  const budget = { maxTokens: 2000, maxCost: '0.50', maxSteps: 2, maxTimeMs: 60_000, whenReached: 'pause' } as const;
  expect(budgetLine({ ...running, budget })).toBe(
    'budget: 1000 of 2000 tokens, $0.0012 of $0.50, 1 of 2 steps, 60 s of active time',
  );
});

test('a failed step says why and what to do', () => {
  const error = anError({ suggestedAction: 'Name the button as the page does.' });
  const failed = details(SessionStatus.FAILED, [
    aResult({ stepIndex: 0 }),
    aResult({ stepIndex: 1, success: false, error }),
  ]);
  expect(stepLines(failed).map(lineText)).toEqual([
    '1. ✓ Open  1.2 s',
    '2. ✗ Pay  1.2 s',
    '   ✗ EX002 No element matches button "Pay".',
    '   ▶ Name the button as the page does.',
    '3. · Save',
  ]);
});

test('a cancelled step is no failure', () => {
  const error = anError({ details: { isCancelled: true } });
  const cancelled = details(SessionStatus.CANCELLED, [aResult({ stepIndex: 0, success: false, error })]);
  expect(stepLines(cancelled).map(lineText)[0]).toBe('1. ! Open  cancelled');
});

test('saved variables come before those of the request', () => {
  const base = { timestamp: new Date(0), sessionId: SESSION_ID };
  expect(
    variableLines([
      { ...base, name: 'password', value: '[secret]', source: 'user_input' },
      { ...base, name: 'order', value: 'SF-1', source: 'extracted' },
    ]),
  ).toEqual(['order = SF-1', 'password = [secret]  (given)']);
});

test('a session that waits for a person says for what, and how to answer', () => {
  const paused = details(SessionStatus.PAUSED, []);
  expect(waitingLines(paused)).toEqual([]);
  const waitingFor: SessionDetails['waitingFor'] = {
    pausedFor: 'unknown-outcome',
    unknown: { commandId: 'c1', action: 'PRESS_KEY', what: 'Enter', urlBefore: '/', urlAfter: '/', requests: [] },
    message: 'Nobody knows.',
    answerWith: { cli: 'surefoot resolve-unknown 3f2a c1 --happened yes|no', rest: '' },
  };
  expect(waitingLines({ ...paused, waitingFor })).toEqual([
    'Nobody knows.',
    'Look for it, then: npx surefoot resolve-unknown 3f2a c1 --happened yes|no',
  ]);
  const spent: SessionDetails['waitingFor'] = {
    pausedFor: 'budget',
    budget: { limit: 'maxTokens', allowed: 9, used: 10 },
    message: 'The budget is used up.',
    answerWith: { cli: 'surefoot resolve-budget 3f2a --raise tokens=…|--end', rest: '' },
  };
  expect(waitingLines({ ...paused, waitingFor: spent })).toEqual([
    'The budget is used up.',
    'Decide with: npx surefoot resolve-budget 3f2a --raise tokens=…|--end',
  ]);
});
