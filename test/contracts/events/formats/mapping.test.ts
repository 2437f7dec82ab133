import { FORMATS } from '../../../../contracts/events/formats/formats';
import { createEncoder, type EventFormat } from '../../../../contracts/events/formats/format';
import type { LogRecord } from '../../../../contracts/events/log';
import { EVERYTHING, logOf, type Ending, type SessionPlan } from '../../../support/format-logs';

/** The frame of each format for one record: its frame's type (S0: its status, or `text`), or nothing. */
type Mapped = Record<'S0' | 'S1' | 'S2' | 'S3', string | undefined>;

function mappedOf(plan: SessionPlan): { record: LogRecord; mapped: Mapped }[] {
  const tellings = {
    S0: createEncoder(FORMATS.steps),
    S1: createEncoder(FORMATS.stream),
    S2: createEncoder(FORMATS.agent),
    S3: createEncoder(FORMATS.execution as EventFormat<unknown, { type: string }>),
  };
  return logOf(plan).map((record) => {
    const step = tellings.S0.encode(record);
    const mapped = {
      S0: step?.type === 'step' ? step.data.status : step?.type,
      S1: tellings.S1.encode(record)?.type,
      S2: tellings.S2.encode(record)?.type,
      S3: tellings.S3.encode(record)?.type,
    };
    return { record, mapped };
  });
}

const kind = (name: string) => (record: LogRecord) => record.facts?.kind === name;
const type = (name: string) => (record: LogRecord) => record.type === name;
const both = (a: (record: LogRecord) => boolean, b: (record: LogRecord) => boolean) => (record: LogRecord) =>
  a(record) && b(record);
const hasError = (record: LogRecord) => record.facts?.kind === 'result' && record.facts.error !== undefined;

type Row = [moment: string, ending: Ending, fits: (record: LogRecord) => boolean, mapped: Partial<Mapped>];

/** X.M, line by line, on a tool-use session; a moment that several records make up has a line for each of them. */
const MAPPING: Row[] = [
  ['run accepted', 'completed', type('WORKFLOW_STARTED'), { S1: 'WORKFLOW_STARTED' }],
  ['run accepted', 'completed', type('STEP_STARTED'), { S1: 'STEP_STARTED', S2: 'user.message' }],
  ['model call starts', 'completed', kind('response.start'), { S0: 'thinking', S2: 'response.start' }],
  [
    'text arrives',
    'completed',
    type('response.chunk.text.delta'),
    { S0: 'text', S2: 'response.chunk.text.delta', S3: 'token_delta' },
  ],
  ['text arrives', 'completed', type('response.chunk.text.done'), { S2: 'response.chunk.text.done' }],
  ['reasoning arrives', 'completed', type('response.chunk.thinking.delta'), { S2: 'response.chunk.thinking.delta' }],
  ['reasoning arrives', 'completed', type('AI_REASONING'), { S1: 'AI_REASONING', S2: 'response.chunk.thinking.done' }],
  [
    'model reply complete',
    'completed',
    both(kind('reply'), ({ facts }) => facts?.kind === 'reply' && facts.end === 'complete'),
    { S1: 'AI_RESPONSE_RECEIVED', S2: 'response.complete' },
  ],
  [
    'model reply complete',
    'completed',
    both(kind('reply'), ({ facts }) => facts?.kind === 'reply' && facts.end === 'incomplete'),
    { S1: 'AI_RESPONSE_RECEIVED', S2: 'response.incomplete' },
  ],
  ['model reply complete', 'model-failed', type('response.failed'), { S2: 'response.failed' }],
  [
    'approval needed',
    'completed',
    kind('approval'),
    { S1: 'SESSION_STATUS', S2: 'tool.confirmation', S3: 'approval_required' },
  ],
  ['paused / resumed', 'completed', type('WORKFLOW_PAUSED'), { S1: 'WORKFLOW_PAUSED' }],
  ['paused / resumed', 'completed', type('WORKFLOW_RESUMED'), { S1: 'WORKFLOW_RESUMED' }],
  [
    'paused / resumed',
    'completed',
    both(type('SESSION_STATUS'), ({ facts }) => facts === undefined),
    { S1: 'SESSION_STATUS' },
  ],
  [
    'tool starts',
    'completed',
    type('COMMAND_STARTED'),
    { S0: 'tool_use', S1: 'COMMAND_STARTED', S2: 'tool.call.execution.start', S3: 'tool_call' },
  ],
  [
    'tool ends well',
    'completed',
    type('COMMAND_COMPLETED'),
    { S0: 'tool_result', S1: 'COMMAND_COMPLETED', S2: 'tool.call.execution.done', S3: 'tool_result' },
  ],
  [
    'tool ends badly',
    'completed',
    both(type('COMMAND_FAILED'), hasError),
    { S0: 'tool_result', S1: 'COMMAND_FAILED', S2: 'tool.call.execution.done', S3: 'tool_result' },
  ],
  ['model turn over', 'completed', kind('turn'), { S2: 'turn.complete', S3: 'iteration_complete' }],
  ['run ends well', 'completed', type('STEP_COMPLETED'), { S1: 'STEP_COMPLETED' }],
  ['run ends well', 'completed', type('WORKFLOW_COMPLETED'), { S0: 'complete', S1: 'WORKFLOW_COMPLETED', S3: 'done' }],
  ['step limit', 'max_steps', type('STEP_FAILED'), { S1: 'STEP_FAILED', S2: 'agent.error' }],
  ['step limit', 'max_steps', type('WORKFLOW_FAILED'), { S0: 'error', S1: 'WORKFLOW_FAILED', S3: 'error' }],
  ['cancelled', 'cancelled', type('STEP_FAILED'), { S1: 'STEP_FAILED' }],
  [
    'cancelled',
    'cancelled',
    both(type('SESSION_STATUS'), ({ data }) => data.message === 'CANCELLED'),
    { S1: 'SESSION_STATUS', S2: 'user.cancelled' },
  ],
  ['cancelled', 'cancelled', type('WORKFLOW_FAILED'), { S0: 'error', S1: 'WORKFLOW_FAILED', S3: 'error' }],
  ['failure', 'failed', type('ERROR_OCCURRED'), { S1: 'ERROR_OCCURRED' }],
  ['failure', 'failed', type('STEP_FAILED'), { S1: 'STEP_FAILED', S2: 'agent.error' }],
  ['failure', 'failed', type('WORKFLOW_FAILED'), { S0: 'error', S1: 'WORKFLOW_FAILED', S3: 'error' }],
];

const NOTHING: Mapped = { S0: undefined, S1: undefined, S2: undefined, S3: undefined };

test.each(MAPPING)(
  '[S3.R1, X.A3, X.A5] %s (%s): each contract has its own event for it',
  (_moment, ending, fits, mapped) => {
    // The last of them: a first one may be an attempt that was lost, or words that are mapped together.
    const plan = { ...EVERYTHING, ending };
    const [found] = mappedOf(plan).filter(({ record }) => fits(record));
    expect(found?.mapped).toEqual({ ...NOTHING, ...mapped });
  },
);

test('[X.A3, X.A5] every record of the session of this table is in a line of it', () => {
  const endings: Ending[] = ['completed', 'max_steps', 'cancelled', 'model-failed', 'failed'];
  const others =
    /^(WORKFLOW_PROGRESS|WARNING_ISSUED|PAGE_NAVIGATED|response\.chunk\.function_call\.done|tool\.call\.execution\.(start|done))$/;
  for (const ending of endings)
    for (const record of logOf({ ...EVERYTHING, ending }))
      expect([record.type, others.test(record.type) || MAPPING.some(([, , fits]) => fits(record))]).toEqual([
        record.type,
        true,
      ]);
});

test('what S1 has no event for: a refused call, a rejected one, a model that another one replaces', () => {
  const mapped = mappedOf(EVERYTHING);
  const types = (name: string) => mapped.find(({ record }) => record.type === name)?.mapped;
  expect(types('tool.call.execution.start')).toEqual({
    S0: 'tool_use',
    S1: undefined,
    S2: 'tool.call.execution.start',
    S3: 'tool_call',
  });
  expect(types('tool.call.execution.done')).toEqual({
    S0: 'tool_result',
    S1: undefined,
    S2: 'tool.call.execution.done',
    S3: 'tool_result',
  });
  expect(types('WARNING_ISSUED')).toEqual({
    ...NOTHING,
    S1: 'WARNING_ISSUED',
    S2: 'agent.model_fallback',
    S3: 'model_fallback',
  });
  expect(types('response.chunk.function_call.done')).toEqual({ ...NOTHING, S2: 'response.chunk.function_call.done' });
});

test('[X.A8] a command of the ACT-REFLECT loop is a call of the tool that its action names', () => {
  const plan: SessionPlan = {
    isPaused: false,
    ending: 'completed',
    steps: [
      {
        kind: 'instruction',
        iterations: [
          {
            message: 'I click Buy.',
            deltas: ['{"dec'],
            actions: [{ action: 'CLICK_ELEMENT', isFailing: false, isFollowed: false }],
            usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 0 },
            cost: undefined,
          },
          {
            message: 'Done.',
            deltas: [],
            actions: [],
            usage: { inputTokens: 11, outputTokens: 3, cachedTokens: 0 },
            cost: undefined,
          },
        ],
      },
    ],
  };
  expect(mappedOf(plan).map(({ mapped: { S0, S1, S2, S3 } }) => [S1, S0, S2, S3])).toEqual([
    ['WORKFLOW_STARTED', undefined, undefined, undefined],
    ['SESSION_STATUS', undefined, undefined, undefined],
    ['STEP_STARTED', undefined, 'user.message', undefined],
    ['AI_RESPONSE_RECEIVED', undefined, undefined, undefined],
    ['AI_REASONING', 'thinking', 'response.chunk.thinking.done', undefined],
    ['AI_RESPONSE_RECEIVED', 'text', 'response.complete', 'token_delta'],
    ['COMMAND_STARTED', 'tool_use', 'tool.call.execution.start', 'tool_call'],
    ['COMMAND_COMPLETED', 'tool_result', 'tool.call.execution.done', 'tool_result'],
    ['AI_REASONING', 'thinking', 'turn.complete', 'iteration_complete'],
    ['AI_RESPONSE_RECEIVED', 'text', 'response.complete', 'token_delta'],
    ['STEP_COMPLETED', undefined, 'turn.complete', 'iteration_complete'],
    ['WORKFLOW_PROGRESS', undefined, undefined, undefined],
    ['WORKFLOW_COMPLETED', 'complete', undefined, 'done'],
  ]);
});
