import { AgentEventType } from '../../../contracts/agents/agent-event';
import fc from 'fast-check';
import {
  BrowserActionSchema,
  CommandAction,
  CommandStatus,
  type BrowserAction,
} from '../../../contracts/commands/commands';
import { toStreamEvent, type KnownActions } from '../../../contracts/events/formats/stream';
import { StreamEventSchema as ContractEventSchema } from '../../../contracts/events/formats/s1';
import { StreamEventSchema, StreamEventType, type StreamEventData } from '../../../contracts/events/stream-event';
import { ownersOf, type LogRecord } from '../../../contracts/events/log';
import { StepStatus } from '../../../contracts/steps/step-result';

const AT = '2026-01-02T03:04:05.006Z';

function aLogRecord(change: Partial<LogRecord> = {}): LogRecord {
  const type = change.type ?? StreamEventType.WORKFLOW_STARTED;
  return { sessionId: 's', seq: 1, eventId: 'run/1', owner: ownersOf(type)[0]!, type, at: AT, data: {}, ...change };
}

function command(name: `${BrowserAction}`): NonNullable<StreamEventData['command']> {
  const action = name as BrowserAction;
  return { commandId: 's.0.0.0', action, parameters: { selector: '#a' }, status: CommandStatus.COMPLETED, duration: 5 };
}

const anyRecord = fc
  .record({
    type: fc.constantFrom(...Object.values(StreamEventType)),
    stepIndex: fc.option(fc.nat(99), { nil: undefined }),
    turn: fc.option(fc.nat(8), { nil: undefined }),
    message: fc.string(),
    action: fc.constantFrom(...BrowserActionSchema.options),
  })
  .map(({ type, stepIndex, turn, message, action }) =>
    aLogRecord({
      type,
      stepIndex,
      turn,
      data: type.startsWith('COMMAND_') ? { command: command(action) } : { message },
    }),
  );
const anyLog = fc
  .array(anyRecord, { maxLength: 40 })
  .map((records) => records.map((record, index) => ({ ...record, seq: index + 1, eventId: `run/${index + 1}` })));
const known = fc.constantFrom<KnownActions>('all', 's1');

test('S1.30: a record becomes one event whose id is the event id and whose place is the seq', () => {
  const record = aLogRecord({
    type: StreamEventType.AI_REASONING,
    seq: 7,
    stepIndex: 2,
    turn: 1,
    data: { message: 'm' },
  });
  expect(toStreamEvent(record)).toEqual({
    id: 'run/1',
    type: 'AI_REASONING',
    timestamp: new Date(AT),
    sessionId: 's',
    stepIndex: 2,
    data: { message: 'm' },
    metadata: { seq: 7, owner: 'ai-integration', version: '1.0.0', turn: 1 },
  });
});

test('[S1.30] an event without its data, or without its session, is none', () => {
  const whole = JSON.parse(JSON.stringify(toStreamEvent(aLogRecord()))) as Record<string, unknown>;
  expect(StreamEventSchema.safeParse(whole).success).toBe(true);
  for (const name of ['id', 'type', 'timestamp', 'sessionId', 'data']) {
    const { [name]: _left, ...rest } = whole;
    expect([name, StreamEventSchema.safeParse(rest).success]).toEqual([name, false]);
  }
});

test('a reader of actions=s1 gets a further action as text and details, with no command', () => {
  const record = aLogRecord({ type: StreamEventType.COMMAND_COMPLETED, data: { command: command('SELECT_OPTION') } });
  expect(toStreamEvent(record, 's1')?.data).toEqual({
    message: 'SELECT_OPTION COMPLETED',
    details: { ...command('SELECT_OPTION') },
  });
  expect(toStreamEvent(record)?.data).toEqual(record.data);
});

test.each(Object.values(CommandAction))('a reader of actions=s1 gets %s as it is', (action) => {
  const record = aLogRecord({ type: StreamEventType.COMMAND_STARTED, data: { command: command(action) } });
  expect(toStreamEvent(record, 's1')).toEqual(toStreamEvent(record));
});

test('actions=s1 never shows an action outside of S1.16', () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      const events = log.map((record) => toStreamEvent(record, 's1'));
      for (const event of events) {
        expect([undefined, ...Object.values(CommandAction)]).toContain(event?.data.command?.action);
        expect(ContractEventSchema.safeParse(event).success).toBe(true);
      }
    }),
  );
});

test('a prefix of the log gives a prefix of the stream, so that a seq resumes exactly', () => {
  fc.assert(
    fc.property(anyLog, known, fc.nat(40), (log, actions, cut) => {
      const fold = (records: LogRecord[]) => records.map((record) => toStreamEvent(record, actions));
      const whole = fold(log);
      expect(whole).toHaveLength(log.length);
      expect(fold(log.slice(0, cut))).toEqual(whole.slice(0, cut));
      expect([...fold(log.slice(0, cut)), ...fold(log.slice(cut))]).toEqual(whole);
    }),
  );
});

test('a record that S1 has no name for is no event of the stream', () => {
  expect(toStreamEvent(aLogRecord({ type: AgentEventType.TurnComplete }))).toBeUndefined();
});

test('[S1.A20] every event comes back whole from JSON, its dates as dates', () => {
  fc.assert(
    fc.property(anyLog, known, (log, actions) => {
      for (const record of log) {
        const event = toStreamEvent(record, actions);
        expect(StreamEventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
      }
    }),
  );
});

test("a reader of actions=s1 gets a step's result without the further actions, still in step", () => {
  const run = (action: BrowserAction, id: string) => ({
    command: { sessionId: 's', action, parameters: {}, commandId: id, timestamp: new Date(AT) },
    answer: { success: true, commandId: id, dom: '', screenshotId: '', duration: 1 },
  });
  const runs = [run('OPEN_PAGE', 'a'), run('SCROLL', 'b'), run('GET_DOM', 'c'), run('GO_BACK', 'd')];
  const result = {
    stepIndex: 0,
    success: true,
    executedCommands: runs.map(({ command: each }) => each),
    commandResults: runs.map(({ answer }) => answer),
    aiReasoning: '',
    duration: 1,
    finalPageState: { dom: '', screenshotId: '', url: 'about:blank' },
  };
  const step = { stepIndex: 0, stepContent: 'Look', status: StepStatus.COMPLETED, result };
  const event = toStreamEvent(aLogRecord({ type: StreamEventType.STEP_COMPLETED, data: { step } }), 's1');
  expect(ContractEventSchema.safeParse(event).success).toBe(true);
  expect(event?.data.step?.result?.executedCommands.map(({ commandId }) => commandId)).toEqual(['a', 'c']);
  expect(event?.data.step?.result?.commandResults.map(({ commandId }) => commandId)).toEqual(['a', 'c']);
});
