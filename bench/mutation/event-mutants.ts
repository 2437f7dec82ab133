import { change, type Mutant } from './mutant';

/** Where a kind of change is looked for; the fastest first, for one test that fails is enough. */
const ENUMS = ['contracts/enums', 'conformance/events', 'conformance/sessions', 'conformance/commands'];
const LOG = ['contracts/events/log', 'bench/log-checks/payloads', 'contracts/steps/task-loop-stream'];
const ORDER = ['bench/log-checks/investigation-order', 'bench/log-checks/log-order'];
const MAPPING = ['contracts/steps/task-loop-stream'];
const EVENTS = [
  'contracts/closed-sets',
  'contracts/events/stream',
  'conformance/events',
  'conformance/task-loop',
  'conformance/resources',
];
const STATUS = ['contracts/sessions/session'];

/** Changes of what is told: events, their owners, payloads, order and translation. */
export const EVENT_MUTANTS: readonly Mutant[] = [
  ...change(
    'contracts/events/event-definitions.ts',
    ENUMS,
    ['an event type renamed', '  STEP_FAILED: defineEvent({', '  STEP_ERROR: defineEvent({'],
    ['an event type in small letters', '  WARNING_ISSUED: defineEvent({', '  warning_issued: defineEvent({'],
  ),
  ...change(
    'contracts/events/event-payloads.ts',
    EVENTS,
    ['the thought of a reasoning dropped', '  thought: z.string(),\n', ''],
    [
      'the status of a command optional',
      'status: enumOf<CommandStatus>(CommandStatus),',
      'status: enumOf<CommandStatus>(CommandStatus).optional(),',
    ],
    ['progress above 100 taken', 'overallProgress: z.number().min(0).max(100),', 'overallProgress: z.number(),'],
    ['a reasoning type dropped', "'decision', 'plan', 'reflection'", "'decision', 'plan'"],
  ),
  ...change('contracts/events/stream-event.ts', EVENTS, [
    'the data of an event optional',
    '  data: StreamEventDataSchema,',
    '  data: StreamEventDataSchema.optional(),',
  ]),
  ...change('contracts/sessions/session.ts', ENUMS, [
    'a status renamed',
    "CANCELLED = 'CANCELLED'",
    "CANCELLED = 'CANCELED'",
  ]),
  ...change(
    'contracts/sessions/session.ts',
    STATUS,
    ['a session that is over goes on', 'COMPLETED: [CLEANUP]', 'COMPLETED: [CLEANUP, ACTIVE]'],
    [
      'a paused session completes',
      'PAUSED: [ACTIVE, FAILED, CANCELLED, CLEANUP]',
      'PAUSED: [ACTIVE, COMPLETED, FAILED, CANCELLED, CLEANUP]',
    ],
    ['a failed session is never cleaned up', 'FAILED: [CLEANUP]', 'FAILED: []'],
    ['the same status counts as a change', "if (from === to) return 'same';", "if (from === to) return 'legal';"],
    ['a paused session counts as ended', '  SessionStatus.PAUSED,\n];', '];'],
  ),
  ...change(
    'contracts/events/event-definitions.ts',
    LOG,
    [
      'the executor publishes commands',
      "COMMAND_STARTED: defineEvent({\n    owners: ['task-loop'],",
      "COMMAND_STARTED: defineEvent({\n    owners: ['executor'],",
    ],
    [
      'the task loop publishes steps',
      "STEP_STARTED: defineEvent({\n    owners: ['step-processor'],",
      "STEP_STARTED: defineEvent({\n    owners: ['step-processor', 'task-loop'],",
    ],
    [
      'only the AI integration publishes thoughts',
      "AI_REASONING: defineEvent({\n    owners: ['ai-integration', 'task-loop'],",
      "AI_REASONING: defineEvent({\n    owners: ['ai-integration'],",
    ],
    ['a failure without its error', 'payload: { investigation, error },', 'payload: { investigation },'],
    ['a screenshot without its payload', 'payload: { screenshot },', 'payload: {},'],
    ['the warning without its payload', 'payload: { warning },', 'payload: {},'],
  ),
  ...change('contracts/events/log.ts', LOG, [
    'no end of a log',
    'EVENTS[type].endsLog === true',
    'EVENTS[type].endsLog === false',
  ]),
  ...change('bench/log-checks/payloads.ts', LOG, [
    'a payload of another session',
    '.filter(([name, value]) => !free.includes(name) && belongsElsewhere(value, sessionId))',
    '.filter(() => false)',
  ]),
  ...change(
    'bench/log-checks/log-order.ts',
    ORDER,
    ['a session that begins with anything', 'records[0]?.type === WORKFLOW_STARTED', 'records.length > 0'],
    ['two ends of a session', 'ends.length === 1 && records.at(-1) === ends[0]', 'records.at(-1) === ends.at(-1)'],
    ['events before their step', 'check(stepsStarted.has(stepIndex), ', 'check(true, '],
    ['a command that ends without a start', 'check(commandsStarted.has(commandId), ', 'check(true, '],
    ['a command that ends twice', 'check(!commandsEnded.has(commandId), ', 'check(true, '],
    ['a step that ends twice, or never', 'check(stepsEnded.get(step) === 1, ', 'check(true, '],
    ['a gap in the numbers', 'check(record.seq === index + 1, ', 'check(true, '],
    ['investigations not looked at', '...investigationProblems(records)', ''],
  ),
  ...change('contracts/steps/investigation.ts', EVENTS, [
    'a phase of an investigation renamed',
    "'focused_exploration', 'selector_determination']);",
    "'exploration', 'selector_determination']);",
  ]),
  ...change(
    'bench/log-checks/investigation-order.ts',
    ORDER,
    ['phases in any order', 'phase === place.next', 'phase >= 0'],
    [
      'a tool inside another',
      "return place.kind === 'phase' && place.tool === undefined\n        ? { ...place, tool",
      "return place.kind !== 'none' && 'phase' in place\n        ? { ...place, tool",
    ],
    ['outcomes told too early', 'return success || confidence !== 0 || duration !== 0;', 'return false;'],
  ),
  ...change(
    'contracts/steps/task-loop-stream.ts',
    MAPPING,
    [
      'reasoning not translated',
      'return StreamEventType.AI_REASONING;',
      'return StreamEventType.AI_RESPONSE_RECEIVED;',
    ],
    ['a failed command told as completed', 'data.command?.result.success === true ?', 'data.command !== undefined ?'],
    ['progress that keeps what is not for the stream', 'const { currentStepName: _name, ', 'const { '],
    ['a step without its result', '...(result === undefined ? {} : { result }) };', '};'],
    [
      'a failed command without its error',
      '    ...(success || error === undefined ? {} : { error }),\n  };\n}',
      '  };\n}',
    ],
    ['a result for a failed step', "  STEP_FAILED: 'error',", "  STEP_FAILED: 'result',"],
    ['a confidence lost', 'reasoning: { thought, confidence, ', 'reasoning: { thought, confidence: 1, '],
  ),
];
