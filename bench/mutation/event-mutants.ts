import { change, type Mutant } from './mutant';

/** Where a kind of change is looked for; the fastest first, for one test that fails is enough. */
const ENUMS = ['contracts/enums', 'conformance/events', 'conformance/sessions', 'conformance/commands'];
const LOG = ['contracts/events/log', 'bench/log-checks/payloads', 'contracts/steps/task-loop-stream'];
const ORDER = ['bench/log-checks/investigation-order', 'contracts/order'];
const MAPPING = ['contracts/steps/task-loop-stream'];
const EVENTS = [
  'contracts/closed-sets',
  'contracts/stream',
  'conformance/events',
  'conformance/task-loop',
  'conformance/resources',
];
const STATUS = ['contracts/sessions/session'];

/** Changes of what is told: events, their owners, payloads, order and translation. */
export const EVENT_MUTANTS: readonly Mutant[] = [
  ...change(
    'contracts/events/stream-event.ts',
    ENUMS,
    ['an event type renamed', "STEP_FAILED = 'STEP_FAILED'", "STEP_FAILED = 'STEP_ERROR'"],
    ['an event type in small letters', "WARNING_ISSUED = 'WARNING_ISSUED'", "WARNING_ISSUED = 'warning_issued'"],
    ['an event type dropped', "  PAGE_NAVIGATED = 'PAGE_NAVIGATED',\n", ''],
    [
      'an event type added',
      "  SESSION_STATUS = 'SESSION_STATUS',",
      "  SESSION_STATUS = 'SESSION_STATUS',\n  STEP_SKIPPED = 'STEP_SKIPPED',",
    ],
  ),
  ...change(
    'contracts/events/stream-event.ts',
    EVENTS,
    ['the thought of a reasoning dropped', '      thought: z.string(),\n', ''],
    [
      'the status of a command optional',
      'status: enumOf<CommandStatus>(CommandStatus),',
      'status: enumOf<CommandStatus>(CommandStatus).optional(),',
    ],
    ['progress above 100 taken', 'overallProgress: z.number().min(0).max(100),', 'overallProgress: z.number(),'],
    ['the warning dropped from the payload', '  warning: StandardWarningSchema.optional(),\n', ''],
    ['the variable dropped from the payload', '  variable: VariableInfoSchema.optional(),\n', ''],
    ['the data of an event optional', '  data: StreamEventDataSchema,', '  data: StreamEventDataSchema.optional(),'],
    ['a reasoning type dropped', "'decision', 'plan', 'reflection'", "'decision', 'plan'"],
  ),
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
    'contracts/events/log.ts',
    LOG,
    ['the executor publishes commands', '/^(INVESTIGATION_|ELEMENT_|COMMAND_)/', '/^(INVESTIGATION_|ELEMENT_)/'],
    ['the task loop publishes steps', "return ['step-processor'];", "return ['step-processor', 'task-loop'];"],
    ['the executor publishes errors', "return ['executor-streamer'];", "return ['executor-streamer', 'executor'];"],
    [
      'only the AI integration publishes thoughts',
      "if (type.startsWith('AI_')) return ['ai-integration', 'task-loop'];",
      "if (type.startsWith('AI_')) return ['ai-integration'];",
    ],
    ['the step processor publishes pages', '|PAGE_NAVIGATED)$/.test(type)', ')$/.test(type)'],
    [
      'a failed session goes on',
      'return type === WORKFLOW_COMPLETED || type === WORKFLOW_FAILED;',
      'return type === WORKFLOW_COMPLETED;',
    ],
  ),
  ...change(
    'bench/log-checks/payloads.ts',
    LOG,
    ['a failure without its error', "type.endsWith('_FAILED') || ", ''],
    [
      'a tool told as an investigation',
      "if (type.startsWith('INVESTIGATION_TOOL_')) return ['investigationTool'];",
      '',
    ],
    ['a screenshot without its payload', "  SCREENSHOT_CAPTURED: ['screenshot'],\n", ''],
    [
      'a payload of another session',
      '.filter(([name, value]) => !free.includes(name) && belongsElsewhere(value, sessionId))',
      '.filter(() => false)',
    ],
  ),
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
