import { lineText, toLines } from '../../../cli/render/event-lines';
import { advanceContext, initialContext } from '../../../cli/render/context';
import { toStatus } from '../../../cli/render/status-text';
import { CommandAction, CommandStatus } from '../../../contracts/commands/commands';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { LogRecord } from '../../../contracts/events/log';
import { StepStatus } from '../../../contracts/steps/step-result';
import { aRecord, anError, STARTED } from '../builders';

/** What a reader of the whole log sees. */
function render(records: readonly LogRecord[], isDetailed = false): string[] {
  let scene = initialContext();
  return records.flatMap((record) => {
    scene = advanceContext(scene, record);
    return toLines(scene, record, { isDetailed }).map(lineText);
  });
}

function aCommand(type: StreamEventType, status: CommandStatus, more: object = {}): LogRecord {
  const parameters = { selector: 'role=button[name="Sign in"s]' };
  const command = { commandId: 'c1', action: CommandAction.CLICK_ELEMENT, parameters, status, duration: 84 };
  return aRecord({ type, stepIndex: 1, owner: 'task-loop', data: { command, ...more } });
}

const stepFailed = aRecord({
  type: StreamEventType.STEP_FAILED,
  stepIndex: 1,
  data: { step: { stepIndex: 1, stepContent: 'Pay', status: StepStatus.FAILED }, error: anError() },
});

test('a command shows its step, its element and its duration', () => {
  expect(render([STARTED, aCommand(StreamEventType.COMMAND_COMPLETED, CommandStatus.COMPLETED)]).at(-1)).toBe(
    '[2/3] ✓ CLICK_ELEMENT button "Sign in"  84 ms',
  );
});

test('a failed command says why', () => {
  const record = aCommand(StreamEventType.COMMAND_FAILED, CommandStatus.FAILED, { error: anError() });
  expect(render([STARTED, record]).at(-1)).toBe(
    '[2/3] ✗ CLICK_ELEMENT button "Sign in": EX002 No element matches button "Pay".  84 ms',
  );
});

test('a step shows at its start, and at its end with its duration', () => {
  const step = { stepIndex: 0, stepContent: 'Open the shop' };
  const data = (status: StepStatus) => ({ step: { ...step, status } });
  const lines = render([
    STARTED,
    aRecord({ type: StreamEventType.STEP_STARTED, stepIndex: 0, data: data(StepStatus.IN_PROGRESS) }),
    aRecord({
      type: StreamEventType.STEP_COMPLETED,
      stepIndex: 0,
      at: '2026-01-02T03:04:06.250Z',
      data: data(StepStatus.COMPLETED),
    }),
  ]);
  expect(lines.slice(1)).toEqual(['[1/3] ▶ Open the shop', '[1/3] ✓ step done  1.3 s']);
});

test('the answer of a task shows before its end', () => {
  const step = { stepIndex: 0, stepContent: 'Find the cheapest tent', status: StepStatus.COMPLETED };
  const facts = { kind: 'task-end', status: 'complete', answer: 'The Sparrow, at 89 euros.', turns: 3 } as const;
  const lines = render([
    STARTED,
    aRecord({ type: StreamEventType.STEP_COMPLETED, stepIndex: 0, data: { step }, facts }),
  ]);
  expect(lines.slice(1)).toEqual(['[1/3] ▶ The Sparrow, at 89 euros.', expect.stringContaining('✓ step done')]);
});

test('the error of a step shows once, not again at the end of the session', () => {
  const sessionFailed = aRecord({
    type: StreamEventType.WORKFLOW_FAILED,
    at: '2026-01-02T03:04:08.000Z',
    data: { error: anError({ suggestedAction: 'Name the button as the page does.' }) },
  });
  expect(render([STARTED, stepFailed, sessionFailed]).slice(1)).toEqual([
    '[2/3] ✗ step failed: EX002 No element matches button "Pay".',
    '✗ Session failed in step 2 of 3.  3.0 s',
    '▶ Name the button as the page does.',
  ]);
});

test('a session that fails outside its steps says why, and what to do', () => {
  const record = aRecord({
    type: StreamEventType.WORKFLOW_FAILED,
    data: { error: anError({ code: 'SP002', message: 'No worker.', suggestedAction: 'Start one.' }) },
  });
  expect(render([record])).toEqual(['✗ Session failed: SP002 No worker.', '▶ Start one.']);
});

test('a cancelled session is no failure', () => {
  const error = anError({ code: 'TL004', message: 'The session was cancelled.', details: { isCancelled: true } });
  expect(render([aRecord({ type: StreamEventType.WORKFLOW_FAILED, data: { error } })])).toEqual([
    '! Session cancelled.',
  ]);
});

test('a saved variable shows with its value', () => {
  const variable = {
    name: 'order',
    value: 'SF-1',
    timestamp: new Date(0),
    sessionId: 's',
    source: 'extracted' as const,
  };
  const record = aRecord({
    type: StreamEventType.VARIABLE_UPDATED,
    owner: 'executor',
    stepIndex: 2,
    data: { variable },
  });
  expect(render([STARTED, record]).at(-1)).toBe('[3/3] ✓ order = SF-1');
});

test('added steps count from the event that announces them', () => {
  const progress = { sessionId: 's', totalSteps: 5, completedSteps: 1, currentStepIndex: 1, overallProgress: 20 };
  const record = aRecord({ type: StreamEventType.WORKFLOW_PROGRESS, data: { progress } });
  const lines = render([STARTED, record, aCommand(StreamEventType.COMMAND_COMPLETED, CommandStatus.COMPLETED)]);
  expect(lines.at(-1)).toMatch(/^\[2\/5\]/);
});

test('thoughts of a language model are shown, those of the rules only in detail', () => {
  const reasoning = { thought: 'The form is filled.', confidence: 0.9, reasoningType: 'plan' as const };
  const record = aRecord({
    type: StreamEventType.AI_REASONING,
    owner: 'ai-integration',
    stepIndex: 0,
    data: { reasoning },
  });
  const withModel = { ...STARTED, data: { details: { totalSteps: 3, model: 'vertexai/gemini' } } };
  expect(render([withModel, record]).at(-1)).toBe('[1/3] · The form is filled.  confidence 0.9');
  expect(render([STARTED, record])).toHaveLength(1);
  expect(render([STARTED, record], true)).toHaveLength(2);
});

test('fragments of a streamed reply are no lines, its end is one', () => {
  const type = StreamEventType.AI_RESPONSE_RECEIVED;
  const delta = aRecord({ type, data: { details: { delta: '{"rea', callId: '7.1.0', chunk: 0 } } });
  expect(render([delta], true)).toEqual([]);
  expect(render([aRecord({ type, data: { message: 'Done.' } })], true)[0]).toContain('ai response received: Done.');
  const end = aRecord({ type, data: { message: 'It is 7.', details: { calls: [], evidence: 'Count: 7' } } });
  expect(render([end])).toEqual([expect.stringContaining('evidence: Count: 7')]);
});

test('every event type renders in detail, and none throws without its data', () => {
  const silent: StreamEventType[] = [StreamEventType.VARIABLE_UPDATED, StreamEventType.COMMAND_STARTED];
  for (const type of Object.values(StreamEventType)) {
    const lines = render([aRecord({ type })], true);
    expect([type, lines.length > 0]).toEqual([type, !silent.includes(type)]);
  }
});

test('an event type of a newer engine is left out', () => {
  expect(render([aRecord({ type: 'SOMETHING_NEW' as StreamEventType })], true)).toEqual([]);
});

test('a line stays one line, whatever a page or a model says', () => {
  const record = aRecord({ type: StreamEventType.WORKFLOW_PAUSED, data: { message: 'one\n  two\nthree' } });
  expect(render([record])).toEqual(['! one two three']);
});

test('the status line shows the finished steps and the command that runs', () => {
  const scene = advanceContext(initialContext({ totalSteps: 4 }), STARTED);
  const status = toStatus('', scene, aCommand(StreamEventType.COMMAND_STARTED, CommandStatus.EXECUTING));
  expect(status).toBe('█████░░░░░░░░░░░░░░░ 2/4 CLICK_ELEMENT button "Sign in"');
  expect(toStatus(status, scene, aRecord({ type: StreamEventType.SCREENSHOT_CAPTURED }))).toBe(status);
});

test('the status line says that a call waits for an approval, until it has its answer', () => {
  const after = (before: string, details: Record<string, unknown>) =>
    toStatus(before, initialContext(), aRecord({ type: StreamEventType.SESSION_STATUS, data: { details } }));
  const waiting = after('', { status: 'PAUSED', pausedFor: 'approval' });
  expect(waiting).toBe('waiting for an approval: `npx surefoot approvals`');
  expect(after(waiting, { status: 'ACTIVE' })).toBe('working');
  expect(after('', { status: 'ACTIVE', waitingFor: 'message' })).toBe(
    'waiting for the next task: `npx surefoot add-step`',
  );
});

test('the status line says what a pause waits for', () => {
  const paused = (pausedFor: string) =>
    toStatus(
      '',
      initialContext(),
      aRecord({ type: StreamEventType.WORKFLOW_PAUSED, data: { details: { pausedFor } } }),
    );
  expect(paused('operator')).toBe('paused: `npx surefoot resume` goes on');
  expect(paused('unknown-outcome')).toBe('waiting for an answer: `npx surefoot resolve-unknown`');
  expect(paused('budget')).toBe('the budget is used up: `npx surefoot resolve-budget` decides');
});
