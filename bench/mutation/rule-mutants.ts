import { change, type Mutant } from './mutant';

/** Where a kind of change is looked for; the fastest first, for one test that fails is enough. */
const TIMEOUTS = ['contracts/sessions/timeouts'];
const CONFIG = ['contracts/sessions/resolve-config', 'conformance/config'];
const ERRORS = ['conformance/errors', 'contracts/errors/standard-error'];
const COMMANDS = ['contracts/commands/commands', 'contracts/models/ai-response', 'conformance/commands'];
const RETRIES = ['workflows/steps/policy'];
const START = ['contracts/sessions/start-request'];

/** Changes of what holds: limits, retries, defaults, codes, commands, resources. */
export const RULE_MUTANTS: readonly Mutant[] = [
  ...change(
    'contracts/sessions/timeouts.ts',
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
    'workflows/activities/failures.ts',
    RETRIES,
    ['a slower backoff', 'base * 2 ** (retry - 1)', 'base * 2 ** retry'],
    [
      'a delay without a cap',
      'Math.min(exponentialBackoff ? base * 2 ** (retry - 1) : base, MAX_RETRY_DELAY_MS)',
      '(exponentialBackoff ? base * 2 ** (retry - 1) : base)',
    ],
  ),
  ...change('contracts/sessions/timeouts.ts', RETRIES, [
    'a longer cap',
    'MAX_RETRY_DELAY_MS = 30_000',
    'MAX_RETRY_DELAY_MS = 60_000',
  ]),
  ...change(
    'workflows/steps/policy.ts',
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
  ...change('contracts/models/ai-response.ts', RETRIES, [
    'reflection at another confidence',
    'REFLECTION_CONFIDENCE = 0.7',
    'REFLECTION_CONFIDENCE = 0.5',
  ]),
  ...change(
    'contracts/models/ai-response.ts',
    COMMANDS,
    ['RETRY without a command', 'reply.decision.action !== DecisionAction.RETRY || reply.commands.length > 0', 'true'],
    ['ABORT that keeps its commands', '? { ...reply, commands: [] } : reply', '? reply : reply'],
  ),
  ...change(
    'contracts/commands/commands.ts',
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
    'contracts/errors/standard-error.ts',
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
    'contracts/sessions/resolve-config.ts',
    CONFIG,
    ['a hotter model', 'temperature: 0.1', 'temperature: 0.7'],
    ['fewer tokens', 'maxTokens: 4000', 'maxTokens: 400'],
    ['a smaller buffer', 'bufferSize: 1000', 'bufferSize: 100'],
    ['a shorter history', 'maxHistorySize: 10_000', 'maxHistorySize: 1000'],
    ['no compression', 'compressionEnabled: true', 'compressionEnabled: false'],
    ['no screenshots', 'screenshotsEnabled: true', 'screenshotsEnabled: false'],
    ['a lenient mode by default', "?? 'strict'", "?? 'lenient'"],
  ),
  ...change('contracts/sessions/config.ts', CONFIG, [
    'more iterations',
    'DEFAULT_MAX_ITERATIONS = 8',
    'DEFAULT_MAX_ITERATIONS = 9',
  ]),
  ...change(
    'contracts/sessions/start-request.ts',
    START,
    ['more steps', 'MAX_STEPS = 100', 'MAX_STEPS = 101'],
    ['longer steps', 'MAX_STEP_LENGTH = 1000', 'MAX_STEP_LENGTH = 1001'],
  ),
  ...change(
    'contracts/sessions/progress.ts',
    ['contracts/sessions/progress'],
    ['a share of one', '(completedSteps / totalSteps) * 100', 'completedSteps / totalSteps'],
    ['an estimate of all steps', 'average * (totalSteps - completedSteps)', 'average * totalSteps'],
  ),
  ...change(
    'contracts/events/formats/stream.ts',
    ['contracts/stream'],
    ['the id of an event lost', 'id: record.eventId,', 'id: String(record.seq),'],
    [
      'a further action shown to readers of S1',
      'if (isContractAction(action)) return { command: { ...command, action } };',
      'return { command: { ...command, action: action as never } };',
    ],
  ),
  ...change(
    'contracts/events/stream-filter.ts',
    ['contracts/events/stream-filter'],
    [
      'a filter that lets other steps pass',
      'if (stepIndex !== undefined && record.stepIndex !== stepIndex) return false;',
      '',
    ],
    ['a time without its end', 'at <= Date.parse(until)', 'at < Date.parse(until)'],
  ),
  ...change(
    'contracts/sessions/resources.ts',
    ['conformance/resources', 'contracts/closed-sets'],
    ['a source of variables renamed', "'user_input', 'extracted', 'computed'", "'user', 'extracted', 'computed'"],
    ['a screenshot without its size', '  fileSize: z.number(),\n', ''],
    ['a page without its title', '  title: z.string(),\n', ''],
  ),
];
