import fc from 'fast-check';
import { encodeAll } from '../../../../contracts/events/formats/format';
import { executionFormat, type ExecutionFrame } from '../../../../contracts/events/formats/execution';
import { errorTypeOf } from '../../../../contracts/events/formats/run-end';
import { standardError } from '../../../../contracts/errors/standard-error';
import { ERRORS } from '../../../../contracts/errors/error-codes';
import { ExecutionEventSchema } from '../../../../contracts/events/execution-event';
import { ExecutionErrorTypeSchema } from '../../../../contracts/errors/execution-error-type';
import { ToolClassificationSchema } from '../../../../contracts/commands/tool-classification';
import { addDecimals, creditsOf } from '../../../../contracts/models/usage';
import { EVERYTHING, logOf, turnsOf, type SessionPlan } from '../../../support/format-logs';
import { anySession } from '../../../support/format-plans';

const framesOf = (plan: SessionPlan): ExecutionFrame[] =>
  encodeAll(executionFormat, logOf(plan)).map(({ frame }) => frame);
const of = <T extends ExecutionFrame['type']>(frames: ExecutionFrame[], type: T) =>
  frames.filter((frame): frame is Extract<ExecutionFrame, { type: T }> => frame.type === type);

test('[S3.A2, S3.R5] exactly one done or error, last: done for COMPLETED, error for every other end', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const frames = framesOf(plan);
      const ends = frames.filter(({ type }) => type === 'done' || type === 'error');
      expect(ends).toEqual([frames.at(-1)]);
      expect(ends[0]?.type).toBe(plan.ending === 'completed' ? 'done' : 'error');
    }),
  );
});

test('[S3.A4] fragments are counted from 0, one after the other, over the whole execution', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const indices = of(framesOf(plan), 'token_delta').map(({ data }) => data.index);
      expect(indices).toEqual(indices.map((_, n) => n));
    }),
  );
});

test('[S3.A5] iterations are counted from 1, their tokens add up to total_tokens, in both loops', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const frames = framesOf(plan);
      const iterations = of(frames, 'iteration_complete').map(({ data }) => data);
      const numbers = iterations.map(({ iteration }) => iteration);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      expect(new Set(numbers).size).toBe(numbers.length);
      const sum = iterations.reduce((total, { tokens }) => total + tokens, 0);
      for (const { data } of of(frames, 'done')) {
        expect(data.total_tokens).toBe(sum);
        const turns = turnsOf(plan);
        expect(numbers).toEqual(turns.map((_, n) => n + 1));
        expect(sum).toBe(turns.reduce((total, { usage }) => total + usage.inputTokens + usage.outputTokens, 0));
        expect(data.total_credits).toBe(creditsOf(addDecimals(turns.map(({ cost }) => cost ?? '0'))));
      }
    }),
  );
});

const CALL_STAGES: Record<string, string> = {
  approval_required: '',
  tool_call: ' approval_required',
  tool_result: 'approval_required tool_call approval_required,tool_call',
};

/** Frames of calls that come out of their order, and iterations that are published as complete while a call is open. */
function outOfOrder(frames: readonly ExecutionFrame[]): ExecutionFrame[] {
  const open = new Map<string, string[]>();
  return frames.filter(({ type, data }) => {
    if (type === 'iteration_complete') return open.size > 0;
    const allowed = CALL_STAGES[type]?.split(' ');
    if (allowed === undefined) return false;
    const id = (data as unknown as { call_id: string }).call_id;
    const before = open.get(id) ?? [];
    if (type === 'tool_result') open.delete(id);
    else open.set(id, [...before, type]);
    return !allowed.includes(before.join());
  });
}

test('[S3.A2] per tool approval_required, tool_call, tool_result; an iteration ends after its results', () => {
  fc.assert(fc.property(anySession, (plan) => expect(outOfOrder(framesOf(plan))).toEqual([])));
  const crossed = framesOf(EVERYTHING).toSorted(
    (a, b) => Number(a.type === 'tool_call') - Number(b.type === 'tool_call'),
  );
  expect(outOfOrder(crossed)).not.toEqual([]);
});

/** The calls, as `name id`, that a reader who matches first in, first out by name alone pairs with another's result. */
function mismatched(frames: readonly ExecutionFrame[]): string[] {
  const waiting: { name: string; id: string }[] = [];
  return frames.flatMap(({ type, data }) => {
    const { name = '', call_id: id = '' } = data as { name?: string; call_id?: string };
    if (type === 'tool_call') waiting.push({ name, id });
    if (type !== 'tool_result') return [];
    // The result of a rejected call answers no call.
    if (!waiting.some((call) => call.id === id)) return [];
    const [first] = waiting.splice(
      waiting.findIndex((call) => call.name === name),
      1,
    );
    return first?.id === id ? [] : [`${name} ${id}`];
  });
}

test('[S3.A3] results can be matched first in, first out by name alone, and by the call_id that we add', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const frames = framesOf(plan);
      expect(mismatched(frames)).toEqual([]);
      const ofCalls = frames.filter(({ type }) => /^(tool_|approval_)/.test(type));
      expect(ofCalls.every(({ data }) => typeof (data as { call_id?: unknown }).call_id === 'string')).toBe(true);
    }),
  );
});

test('[S3.A8] a rejected call gives approval_required and "rejected by user", with no tool_call', () => {
  const frames = framesOf(EVERYTHING);
  const at = frames.findIndex(
    (frame) => frame.type === 'tool_result' && frame.data.summary.startsWith('rejected by user'),
  );
  expect(frames.slice(at - 1, at + 2).map(({ type }) => type)).toEqual([
    'approval_required',
    'tool_result',
    'tool_call',
  ]);
  const expired: SessionPlan = {
    ...EVERYTHING,
    steps: [
      {
        kind: 'task',
        turns: [
          {
            lost: [],
            words: ['I ask.'],
            isWhole: false,
            thought: undefined,
            calls: [{ tool: 'order', isBrowser: false, way: 'expired', isFailing: false }],
            usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 },
            cost: undefined,
            end: 'complete',
            isFallback: false,
          },
        ],
      },
    ],
  };
  const [result] = of(framesOf(expired), 'tool_result');
  expect(result?.data.summary).not.toMatch(/reject/);
});

test("another attempt's text comes once, in fragments, and voids that of the lost one by its index", () => {
  const frames = framesOf(EVERYTHING);
  expect(frames.slice(0, 5)).toEqual([
    { type: 'model_fallback', data: expect.objectContaining({ from: 'openai/a', to: 'openai/b' }) },
    { type: 'token_delta', data: { content: 'I be', index: 0 } },
    { type: 'token_delta', data: { content: 'gin', index: 1 } },
    { type: 'token_delta', data: { content: '\n\nI look at ', index: 2, voids_from: 0 } },
    { type: 'token_delta', data: { content: 'the shop.', index: 3 } },
  ]);
  expect(ExecutionEventSchema.safeParse(frames[3]).success).toBe(true);
});

/** What a reader has who knows the plain contract, and one who knows `voids_from`. */
function readersOf(lost: string[][], words: string[], isWhole = false): { plain: string; knowing: string } {
  const [first] = (EVERYTHING.steps[1] as Extract<SessionPlan['steps'][number], { kind: 'task' }>).turns;
  const turn = { ...first!, lost, words, isWhole, calls: [] };
  const deltas = of(framesOf({ ...EVERYTHING, steps: [{ kind: 'task', turns: [turn] }] }), 'token_delta');
  const valid = deltas.findLastIndex(({ data }) => 'voids_from' in data);
  const join = (list: typeof deltas): string => list.map(({ data }) => data.content).join('');
  return { plain: join(deltas), knowing: join(deltas.slice(Math.max(valid, 0))).trimStart() };
}

test.each([
  ['writes the same again', [['I ', 'look']], 'I look at it.'],
  ['writes the same in other pieces', [['I look a'], ['I l']], 'I look at it.'],
  ['writes something else', [['I begin']], 'I begin\n\nI look at it.'],
  ['writes less', [['I look at it. Then']], 'I look at it. Then\n\nI look at it.'],
  ['is lost too', [['We'], ['I loo'], ['You']], 'We\n\nI loo\n\nYou\n\nI look at it.'],
])('after a restart that %s, a reader that appends every fragment has the text once', (_, lost, plain) => {
  expect(readersOf(lost, ['I ', 'look ', 'at it.'])).toEqual({ plain, knowing: 'I look at it.' });
  expect(readersOf(lost, ['I look at it.'], true).knowing).toBe('I look at it.');
});

test('of any attempts, the text of the last comes whole and once', () => {
  const anyWords = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba '), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(anyWords, { maxLength: 3 }), anyWords, fc.boolean(), (lost, words, isWhole) => {
      const text = words.join('');
      const { plain, knowing } = readersOf(lost, words, isWhole);
      expect(plain.endsWith(text)).toBe(true);
      expect(knowing).toBe(text.trimStart());
    }),
  );
});

test('the text of a model that does not stream is one fragment', () => {
  const contents = of(framesOf(EVERYTHING), 'token_delta').map(({ data }) => data.content);
  expect(contents.filter((text) => text === 'Now I order.')).toHaveLength(1);
  expect(contents.filter((text) => text === 'The order is sent.')).toHaveLength(0);
});

test('[S3.A6] an approval has the classification of its call, one of read, write, destructive, external', () => {
  for (const { data } of of(framesOf(EVERYTHING), 'approval_required'))
    expect(ToolClassificationSchema.options).toContain(data.classification);
  expect(ToolClassificationSchema.options).toEqual(['read', 'write', 'destructive', 'external']);
  const open = { type: 'approval_required', data: { tool_name: 't', arguments: {}, classification: 'nuclear' } };
  expect(ExecutionEventSchema.safeParse(open).success).toBe(true);
});

test.each([
  ['completed', { type: 'done', data: { status: 'completed' } }],
  ['cancelled', { type: 'error', data: { error_type: 'cancelled' } }],
  ['max_steps', { type: 'error', data: { error_type: 'max_steps' } }],
  [
    'model-failed',
    { type: 'error', data: { error_type: 'llm_error', message: 'The model could not be asked. (AI005)' } },
  ],
  ['failed', { type: 'error', data: { error_type: 'timeout' } }],
] as const)('[S3.A7] a session that ends %s ends with %j, whichever loop it was', (ending, end) => {
  fc.assert(
    fc.property(anySession, (plan) => {
      expect(framesOf({ ...plan, ending }).at(-1)).toMatchObject(end);
    }),
    { numRuns: 20 },
  );
});

test('[S3.A11] a step that failed for a page that timed out says timeout, as its cause does', () => {
  const facts = { id: 'e', timestamp: new Date(0), message: 'm' };
  const cause = standardError({ ...facts, code: 'EX004' });
  expect(errorTypeOf(standardError({ ...facts, code: 'TL004', cause }))).toBe('timeout');
  expect(
    errorTypeOf(standardError({ ...facts, code: 'SP003', cause: standardError({ ...facts, code: 'EX001' }) })),
  ).toBe('timeout');
});

test('[S3.A11] every code of S1.38 has its error_type, each of the six kinds for what the name says', () => {
  const types = Object.fromEntries(Object.entries(ERRORS).map(([code, { executionType }]) => [code, executionType]));
  expect(types).toMatchObject({
    SP003: 'timeout',
    EX004: 'timeout',
    EX001: 'browser_disconnected',
    AI003: 'rate_limited',
    FA003: 'rate_limited',
    AI001: 'llm_error',
    TL003: 'llm_error',
    SM002: 'validation',
    CM002: 'internal',
  });
  expect(ExecutionErrorTypeSchema.options).toEqual([
    'timeout',
    'browser_disconnected',
    'rate_limited',
    'llm_error',
    'validation',
    'internal',
    'cancelled',
    'max_steps',
  ]);
  for (const type of Object.values(types)) expect(['cancelled', 'max_steps']).not.toContain(type);
});

test.each([
  ['0', '0'],
  ['0.0000012', '0.00012'],
  ['0.01', '1'],
  ['0.0125', '1.25'],
  ['12.5', '1250'],
  ['0.1', '10'],
  ['3', '300'],
])('[S3.A9, S3.R6] a cost of %s dollars is %s credits: a plain decimal in text', (cost, credits) => {
  expect(creditsOf(cost)).toBe(credits);
});

test('[S3.R6] total_credits is a string, exact where floats are not', () => {
  const turn = (EVERYTHING.steps[1] as Extract<SessionPlan['steps'][number], { kind: 'task' }>).turns[0]!;
  const plan: SessionPlan = {
    ...EVERYTHING,
    steps: [{ kind: 'task', turns: [0.1, 0.2].map((cost) => ({ ...turn, cost: String(cost) })) }],
  };
  expect(framesOf(plan).at(-1)).toEqual({
    type: 'done',
    data: { status: 'completed', total_tokens: 610, total_credits: '30' },
  });
});

test("[S3.R3, X.A6] names are the contract's, with only call_id, approval_id and voids_from added", () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      for (const frame of framesOf(plan)) {
        if (frame.type === 'model_fallback') continue;
        const known = ExecutionEventSchema.parse(frame);
        const {
          call_id: _call,
          approval_id: _approval,
          voids_from: _voids,
          ...data
        } = frame.data as Record<string, unknown>;
        expect({ type: frame.type, data }).toEqual(known);
      }
    }),
    { numRuns: 40 },
  );
});
