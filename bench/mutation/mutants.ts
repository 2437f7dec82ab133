/** One deliberate change of a contract, and the fast tests that have to notice it. */
export interface Mutant {
  what: string;
  file: string;
  /** Stands in the file exactly once. */
  from: string;
  to: string;
  /** Without folder and ending, under test/. */
  tests: readonly string[];
}

/** Where a kind of change is looked for; the fastest first, for one test that fails is enough. */
const ENUMS = ['contracts/enums', 'conformance/events', 'conformance/sessions', 'conformance/commands'];
const LOG = ['contracts/log', 'contracts/payloads', 'contracts/task-loop-stream'];
const ORDER = ['contracts/investigation-order', 'contracts/order'];
const MAPPING = ['contracts/task-loop-stream'];
const TIMEOUTS = ['contracts/timeouts'];
const CONFIG = ['contracts/resolve-config', 'conformance/config'];
const ERRORS = ['conformance/errors', 'contracts/errors'];
const EVENTS = ['conformance/events', 'conformance/task-loop', 'conformance/resources'];
const STATUS = ['contracts/session'];
const COMMANDS = ['contracts/commands', 'contracts/ai-response', 'conformance/commands'];
const RETRIES = ['workflows/policy'];
const START = ['contracts/start-request'];

function change(
  file: string,
  tests: readonly string[],
  ...pairs: [what: string, from: string, to: string][]
): Mutant[] {
  return pairs.map(([what, from, to]) => ({ what, file, from, to, tests }));
}

export const MUTANTS: readonly Mutant[] = [
  ...change(
    'contracts/events.ts',
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
    'contracts/events.ts',
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
    [
      'a phase of an investigation renamed',
      "'focused_exploration', 'selector_determination'",
      "'exploration', 'selector_determination'",
    ],
    ['a reasoning type dropped', "'decision', 'plan', 'reflection'", "'decision', 'plan'"],
  ),
  ...change('contracts/session.ts', ENUMS, ['a status renamed', "CANCELLED = 'CANCELLED'", "CANCELLED = 'CANCELED'"]),
  ...change(
    'contracts/session.ts',
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
    'contracts/log.ts',
    LOG,
    ['the executor publishes commands', '/^(INVESTIGATION_|ELEMENT_|COMMAND_)/', '/^(INVESTIGATION_|ELEMENT_)/'],
    ['the task loop publishes steps', "return ['step-processor'];", "return ['step-processor', 'task-loop'];"],
    ['the executor publishes errors', "return ['executor-streamer'];", "return ['executor-streamer', 'executor'];"],
    [
      'only the AI integration publishes thoughts',
      "return ['ai-integration', 'task-loop'];",
      "return ['ai-integration'];",
    ],
    ['the step processor publishes pages', '|PAGE_NAVIGATED)$/.test(type)', ')$/.test(type)'],
    [
      'a failed session goes on',
      'return type === WORKFLOW_COMPLETED || type === WORKFLOW_FAILED;',
      'return type === WORKFLOW_COMPLETED;',
    ],
  ),
  ...change(
    'contracts/payloads.ts',
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
    'contracts/log-order.ts',
    ORDER,
    ['a session that begins with anything', 'records[0]?.type === WORKFLOW_STARTED', 'records.length > 0'],
    ['two ends of a session', 'ends.length === 1 && records.at(-1) === ends[0]', 'records.at(-1) === ends.at(-1)'],
    ['events before their step', 'check(stepsStarted.has(stepIndex), ', 'check(true, '],
    ['a command that ends without a start', 'check(commandsStarted.has(commandId!), ', 'check(true, '],
    ['a command that ends twice', 'check(!commandsEnded.has(commandId!), ', 'check(true, '],
    ['a step that ends twice, or never', 'check(stepsEnded.get(step) === 1, ', 'check(true, '],
    ['a gap in the numbers', 'check(record.seq === index + 1, ', 'check(true, '],
    ['investigations not looked at', '...investigationProblems(records)', ''],
  ),
  ...change(
    'contracts/investigation-order.ts',
    ORDER,
    ['phases in any order', 'phase === place.next', 'phase >= 0'],
    [
      'a tool outside of a phase',
      "return place.kind === 'phase' && place.tool === undefined\n        ? { ...place, tool",
      "return place.kind !== 'none' && 'phase' in place\n        ? { ...place, tool",
    ],
    ['outcomes told too early', 'return success || confidence !== 0 || duration !== 0;', 'return false;'],
  ),
  ...change(
    'contracts/task-loop-stream.ts',
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
  ...change(
    'contracts/timeouts.ts',
    TIMEOUTS,
    ['the default of a step', 'stepTimeoutMs: 300_000', 'stepTimeoutMs: 600_000'],
    ['the default of a connection', 'connectionTimeoutMs: 10_000', 'connectionTimeoutMs: 30_000'],
    ['the default number of retries', 'maxRetryAttempts: 3', 'maxRetryAttempts: 4'],
    ['no backoff by default', 'exponentialBackoff: true', 'exponentialBackoff: false'],
    ['equal limits refused', 'config[upper] < config[lower]', 'config[upper] <= config[lower]'],
    ['a limit of zero taken', 'config[name] > 0)', 'config[name] >= 0)'],
    [
      'the legacy limit not looked at',
      "  'connectionTimeoutMs',\n  'defaultOperationTimeoutMs',\n",
      "  'connectionTimeoutMs',\n",
    ],
    ['a long delay as an error', 'isValid: errors.length === 0,\n      errors,', 'isValid: false,\n      errors,'],
    [
      'a delay of the whole share taken',
      'retryDelayMs >= stepTimeoutMs / maxRetryAttempts',
      'retryDelayMs > stepTimeoutMs / maxRetryAttempts',
    ],
    ['undefined overrides that win', '.filter(([, value]) => value !== undefined)', ''],
  ),
  ...change(
    'workflows/attempts.ts',
    RETRIES,
    ['a slower backoff', 'base * 2 ** (retry - 1)', 'base * 2 ** retry'],
    [
      'a delay without a cap',
      'Math.min(exponentialBackoff ? base * 2 ** (retry - 1) : base, MAX_RETRY_DELAY_MS)',
      '(exponentialBackoff ? base * 2 ** (retry - 1) : base)',
    ],
  ),
  ...change('contracts/timeouts.ts', RETRIES, [
    'a longer cap',
    'MAX_RETRY_DELAY_MS = 30_000',
    'MAX_RETRY_DELAY_MS = 60_000',
  ]),
  ...change(
    'workflows/policy.ts',
    RETRIES,
    [
      'a step that is given up completes',
      "if (verdict.decision === DecisionAction.ABORT) return { kind: 'failed', code: 'TL004', message: verdict.message };",
      '',
    ],
    ['a step that acts beyond its iterations', "if (mayAct) return { kind: 'act' };", "return { kind: 'act' };"],
    ['a reply that does not judge told as TL004', "code: 'TL005'", "code: 'TL004'"],
    [
      'a step done although a command failed',
      'DecisionAction.PROCEED && hasEverySucceeded &&',
      'DecisionAction.PROCEED &&',
    ],
  ),
  ...change('contracts/ai-response.ts', RETRIES, [
    'reflection at another confidence',
    'REFLECTION_CONFIDENCE = 0.7',
    'REFLECTION_CONFIDENCE = 0.5',
  ]),
  ...change(
    'contracts/ai-response.ts',
    COMMANDS,
    ['RETRY without a command', 'reply.decision.action !== DecisionAction.RETRY || reply.commands.length > 0', 'true'],
    ['ABORT that keeps its commands', '? { ...reply, commands: [] } : reply', '? reply : reply'],
  ),
  ...change(
    'contracts/commands.ts',
    COMMANDS,
    ['an action renamed', "GET_DOM = 'GET_DOM'", "GET_DOM = 'GET_HTML'"],
    ['an empty selector', '  .string()\n  .min(1)\n  .describe(\n', '  .string()\n  .describe(\n'],
    [
      'any address',
      "return parsed?.protocol === 'http:' || parsed?.protocol === 'https:';",
      'return parsed !== undefined;',
    ],
    ['a click that may be repeated', "CLICK_ELEMENT: 'commit'", "CLICK_ELEMENT: 'idempotent'"],
    ['a variable whose name begins with a digit', '/^[a-zA-Z_][a-zA-Z0-9_]*$/', '/^[a-zA-Z0-9_]*$/'],
  ),
  ...change(
    'contracts/errors.ts',
    ERRORS,
    ['a code renamed', "TASK_LOOP_TIMEOUT: 'SP003'", "TASK_LOOP_TIMEOUT: 'SP005'"],
    [
      'credentials that are tried again',
      'AI002: row(INTEGRATION, CRITICAL, false, false)',
      'AI002: row(INTEGRATION, CRITICAL, false, true)',
    ],
    ['a lost category', 'FA002: row(USER, MEDIUM, true, false)', 'FA002: row(SYSTEM, MEDIUM, true, false)'],
    ['a lower severity', 'CM004: row(SYSTEM, CRITICAL, false, false)', 'CM004: row(SYSTEM, LOW, false, false)'],
    ['the cause left out', '    return StandardErrorSchema.optional();', '    return z.undefined() as never;'],
    ['severities out of order', "  LOW = 'LOW',\n  MEDIUM = 'MEDIUM',", "  MEDIUM = 'MEDIUM',\n  LOW = 'LOW',"],
  ),
  ...change(
    'contracts/resolve-config.ts',
    CONFIG,
    ['a hotter model', 'temperature: 0.1', 'temperature: 0.7'],
    ['fewer tokens', 'maxTokens: 4000', 'maxTokens: 400'],
    ['a smaller buffer', 'bufferSize: 1000', 'bufferSize: 100'],
    ['a shorter history', 'maxHistorySize: 10_000', 'maxHistorySize: 1000'],
    ['no compression', 'compressionEnabled: true', 'compressionEnabled: false'],
    ['no screenshots', 'screenshotsEnabled: true', 'screenshotsEnabled: false'],
    ['a lenient mode by default', "?? 'strict'", "?? 'lenient'"],
  ),
  ...change('contracts/config.ts', CONFIG, [
    'more iterations',
    'DEFAULT_MAX_ITERATIONS = 8',
    'DEFAULT_MAX_ITERATIONS = 9',
  ]),
  ...change(
    'contracts/start-request.ts',
    START,
    ['more steps', 'MAX_STEPS = 100', 'MAX_STEPS = 101'],
    ['longer steps', 'MAX_STEP_LENGTH = 1000', 'MAX_STEP_LENGTH = 1001'],
  ),
  ...change(
    'contracts/progress.ts',
    ['contracts/progress'],
    ['a share of one', '(completedSteps / totalSteps) * 100', 'completedSteps / totalSteps'],
    ['an estimate of all steps', 'average * (totalSteps - completedSteps)', 'average * totalSteps'],
  ),
  ...change(
    'contracts/dialects/stream.ts',
    ['contracts/stream'],
    ['the id of an event lost', 'id: record.eventId,', 'id: String(record.seq),'],
    [
      'a further action shown to readers of S1',
      'if (isContractAction(action)) return { command: { ...command, action } };',
      'return { command: { ...command, action: action as never } };',
    ],
  ),
  ...change(
    'contracts/stream-filter.ts',
    ['contracts/stream-filter'],
    [
      'a filter that lets other steps pass',
      'if (stepIndex !== undefined && record.stepIndex !== stepIndex) return false;',
      '',
    ],
    ['a time without its end', 'at <= Date.parse(until)', 'at < Date.parse(until)'],
  ),
  ...change(
    'contracts/resources.ts',
    ['conformance/resources', 'contracts/closed-sets'],
    ['a source of variables renamed', "'user_input', 'extracted', 'computed'", "'user', 'extracted', 'computed'"],
    ['a screenshot without its size', '  fileSize: z.number(),\n', ''],
    ['a page without its title', '  title: z.string(),\n', ''],
  ),
];
