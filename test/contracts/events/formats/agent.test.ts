import fc from 'fast-check';
import { AgentEventType, createAgentEventFromLLMResponse } from '../../../../contracts/agents/agent-event';
import type { LLMComplete, LLMResponse } from '../../../../contracts/tasks/chat';
import { agentFormat, AgentFrameSchema, type AgentFrame } from '../../../../contracts/events/formats/agent';
import { encodeAll } from '../../../../contracts/events/formats/format';
import { executionFormat } from '../../../../contracts/events/formats/execution';
import { stepsFormat } from '../../../../contracts/events/formats/steps';
import type { LogRecord } from '../../../../contracts/events/log';
import { EVERYTHING, logOf, turnsOf, type SessionPlan } from '../../../support/format-logs';
import { anySession } from '../../../support/format-plans';

const E = AgentEventType;
const SESSION = '0e0f2f0c-9f57-4d0e-8c3d-1c1d7a6f8a11';
const framesOf = (plan: SessionPlan): AgentFrame[] => encodeAll(agentFormat, logOf(plan)).map(({ frame }) => frame);
const of = (frames: AgentFrame[], type: AgentEventType) => frames.filter((frame) => frame.type === type);
const dataOf = (frame: AgentFrame | undefined) => frame?.data as Record<string, unknown>;

test('[S2.R4] a chat event goes into the data of an agent event as it is, with session and turn beside it', () => {
  const chat: LLMResponse = {
    type: 'response.chunk.text.delta',
    chunk_idx: 0,
    content: { type: 'text', text_delta: 'a' },
  };
  const event = createAgentEventFromLLMResponse(chat, 's', 3, 17);
  expect(event).toEqual({
    type: 'response.chunk.text.delta',
    data: chat,
    timestamp: 17,
    metadata: { source: 'llm_response', originalType: 'response.chunk.text.delta' },
    sessionId: 's',
    turn: 3,
  });
  expect(event.data).toBe(chat);
  const before = Date.now();
  expect(createAgentEventFromLLMResponse(chat, 's', 3).timestamp).toBeGreaterThanOrEqual(before);
});

test('[S2.A4] an unknown chat event keeps its name and is not complete', () => {
  const strange = { type: 'response.audio.delta' } as unknown as LLMResponse;
  expect(createAgentEventFromLLMResponse(strange, 's', 1)).toMatchObject({
    type: 'response.incomplete',
    metadata: { originalType: 'response.audio.delta' },
  });
});

test('[S2.R3] chat events are unchanged; only user, tool, turn and agent events are added', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      for (const frame of framesOf(plan)) {
        expect(AgentFrameSchema.parse(frame)).toEqual(frame);
        const isChat = frame.type.startsWith('response.');
        expect(frame.type).toMatch(/^(response|user|tool|turn|agent)\./);
        expect([frame.sessionId, typeof frame.turn]).toEqual(isChat ? [SESSION, 'number'] : [undefined, 'undefined']);
        expect(!isChat || dataOf(frame)['type'] === frame.type).toBe(true);
      }
    }),
  );
});

test('a turn of a completed session is over exactly once, after its last event, and has one reply', () => {
  fc.assert(
    fc.property(anySession, (given) => {
      const plan: SessionPlan = { ...given, ending: 'completed' };
      const frames = framesOf(plan);
      const turns = turnsOf(plan);
      const over = of(frames, E.TurnComplete).map((frame) => dataOf(frame)['turn']);
      expect(over).toEqual(turns.map((_, n) => n + 1));
      const replies = frames.filter(({ type }) => type === E.ResponseComplete || type === E.ResponseIncomplete);
      expect(replies.map(({ turn }) => turn)).toEqual(turns.map((_, n) => n + 1));
      frames.forEach((frame, at) => {
        if (frame.type !== E.ToolExecutionDone && frame.type !== E.ToolExecutionStart) return;
        const { turn } = dataOf(frame);
        const end = frames.findIndex((other) => other.type === E.TurnComplete && dataOf(other)['turn'] === turn);
        expect(end).toBeGreaterThan(at);
      });
    }),
  );
});

test('the complete reply repeats every part before it, without those of a lost attempt', () => {
  const [first] = of(framesOf(EVERYTHING), E.ResponseComplete);
  const { chunks, usage } = first!.data as LLMComplete;
  expect(
    chunks.map(({ type, content }) => [type, content.text ?? content.thinking ?? content.functionCall?.name]),
  ).toEqual([
    ['response.chunk.thinking.done', 'The shop first.'],
    ['response.chunk.text.done', 'I look at the shop.'],
    ['response.chunk.function_call.done', 'navigate'],
    ['response.chunk.function_call.done', 'teleport'],
  ]);
  expect(usage).toEqual({
    inputTokens: 120,
    inputTokenDetails: { cachedTokens: 0 },
    outputTokens: 30,
    outputTokenDetails: { reasoningTokens: 0 },
    totalTokens: 150,
  });
  expect(of(framesOf(EVERYTHING), E.ResponseStart).map(({ metadata }) => metadata?.['isRestart'])).toEqual([
    undefined,
    true,
    undefined,
    undefined,
    undefined,
  ]);
});

test('[S2.A5] events without a declared payload have those of the notes', () => {
  const frames = framesOf(EVERYTHING);
  const [message] = of(frames, E.UserMessage);
  expect(message?.data).toEqual({ type: 'user_input', content: 'Task 0', sessionId: SESSION, turn: 1 });
  expect(of(frames, E.UserMessage).map((frame) => dataOf(frame)['turn'])).toEqual([1, 4]);
  expect(of(frames, E.TurnComplete)[0]?.data).toEqual({
    type: 'turn_complete',
    sessionId: SESSION,
    turn: 1,
    hasToolCalls: true,
  });
  expect(of(frames, E.TurnComplete)[2]?.data).toEqual({
    type: 'turn_complete',
    sessionId: SESSION,
    turn: 3,
    hasToolCalls: false,
  });
  expect(of(frames, E.ToolConfirmation)[0]?.data).toEqual({
    callId: expect.stringMatching(/^call_/),
    toolName: 'order',
    confirmationDetails: { type: 'info', title: 'Send the order?', prompt: 'It can not be taken back.' },
    sessionId: SESSION,
    turn: 2,
    approvalId: expect.any(String),
    args: { tool: 'order', ref: 'e12' },
  });
  expect(of(frames, E.ModelFallback)[0]?.data).toEqual({
    from: 'openai/a',
    to: 'openai/b',
    reason: 'openai/a failed, so openai/b is asked instead.',
  });
  const [cancelled] = of(framesOf({ ...EVERYTHING, ending: 'cancelled' }), E.UserCancelled);
  expect(cancelled?.data).toEqual({ type: 'user_cancelled', reason: 'The session was cancelled.', sessionId: SESSION });
  const [error] = of(framesOf({ ...EVERYTHING, ending: 'failed' }), E.Error);
  expect(error?.data).toEqual({
    message: 'The step was not done within its time.',
    timestamp: expect.any(Number),
    turn: 4,
    code: 'SP003',
  });
});

test('[S2.A19] a failure is one agent.error, a cancellation user.cancelled alone, a good end neither', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      const frames = framesOf(plan);
      const ends = [of(frames, E.Error).length, of(frames, E.UserCancelled).length];
      expect(ends).toEqual(plan.ending === 'completed' ? [0, 0] : plan.ending === 'cancelled' ? [0, 1] : [1, 0]);
    }),
  );
});

test('a call that failed or never ran has its error and no result; one that went well the reverse', () => {
  const done = of(framesOf(EVERYTHING), E.ToolExecutionDone).map(dataOf);
  expect(done.map(({ toolName, result, error, duration }) => [toolName, result, error, duration])).toEqual([
    ['navigate', 'navigate did it. In full.', undefined, 12],
    ['teleport', undefined, 'Tool "teleport" was not found in registry.', undefined],
    ['order', 'order did it. In full.', undefined, 12],
    ['order', undefined, 'rejected by user: not this one', undefined],
    ['click', undefined, 'The element is not there.', 12],
  ]);
});

test('[X.A4] timestamps are those of the log, in epoch milliseconds', () => {
  const log = logOf(EVERYTHING);
  for (const { seq, frame } of encodeAll(agentFormat, log)) expect(frame.timestamp).toBe(Date.parse(log[seq - 1]!.at));
});

/** By the seq of its record, the number that each format gives to a turn. */
function numbersOf(log: readonly LogRecord[]): Map<number, unknown[]> {
  const { ToolExecutionStart, ResponseStart, TurnComplete } = E;
  const ofTurns: AgentEventType[] = [ToolExecutionStart, ResponseStart, TurnComplete];
  const all = [
    ...encodeAll(agentFormat, log).flatMap(({ seq, frame }) =>
      ofTurns.includes(frame.type) ? [[seq, frame.turn ?? dataOf(frame)['turn']] as const] : [],
    ),
    ...encodeAll(stepsFormat, log).flatMap(({ seq, frame }) =>
      frame.type === 'step' && /^(tool_use|thinking)$/.test(frame.data.status) ? [[seq, frame.data.step] as const] : [],
    ),
    ...encodeAll(executionFormat, log).flatMap(({ seq, frame }) =>
      frame.type === 'iteration_complete' ? [[seq, frame.data.iteration] as const] : [],
    ),
  ];
  // Of the ACT-REFLECT loop the end of a turn is published with a record of the next one.
  const isOwn = (seq: number) => !/^(AI_REASONING|STEP_|PAGE_|ERROR_)/.test(log[seq - 1]!.type);
  const grouped = Map.groupBy(
    all.filter(([seq]) => isOwn(seq)),
    ([seq]) => seq,
  );
  return new Map([...grouped].map(([seq, numbers]) => [seq, numbers.map(([, number]) => number)]));
}

test('[X.A7] step of S0, turn of S2 and iteration of S3 are the same number for the same turn', () => {
  fc.assert(
    fc.property(anySession, (plan) => {
      for (const numbers of numbersOf(logOf(plan)).values()) expect(new Set(numbers).size).toBe(1);
    }),
  );
  const groups = [...numbersOf(logOf(EVERYTHING)).values()];
  expect(groups.filter((numbers) => numbers.length > 1)).toHaveLength(12);
});
