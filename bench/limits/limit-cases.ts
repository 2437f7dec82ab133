import { StreamEventType as E } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';

/** A session that exceeds one of its limits. */
export interface LimitCase {
  /** The limit as it is configured. */
  readonly limit: string;
  readonly atMostMs: number;
  readonly steps: readonly unknown[];
  readonly config: Readonly<Record<string, unknown>>;
  /** The activity that the limit bounds; absent where the workflow has a timer for it. */
  readonly activity?: string;
  /** What the time is counted from, and the event that ends it. */
  readonly from: (record: LogRecord) => boolean;
  readonly until: (record: LogRecord) => boolean;
}

const is =
  (type: LogRecord['type']) =>
  (record: LogRecord): boolean =>
    record.type === type;

const says =
  (detail: string, value: string) =>
  ({ data: { details } }: LogRecord): boolean =>
    details?.[detail] === value;

const SITE = '${site}';
const fast = { executorConfig: { screenshotsEnabled: false }, retryOnFailure: false };
const once = { maxRetryAttempts: 0 };
const SLOW_STEPS = Array.from({ length: 8 }, () => `Open ${SITE}/slow`);

/** A case for each level of the hierarchy, for the calls that have limits of their own, and for the waits for people. */
export const LIMIT_CASES: readonly LimitCase[] = [
  {
    limit: 'workflowTimeoutMs',
    atMostMs: 6000,
    steps: SLOW_STEPS,
    config: { ...fast, timeouts: { workflowTimeoutMs: 6000 } },
    from: is(E.WORKFLOW_STARTED),
    until: is(E.WORKFLOW_FAILED),
  },
  {
    limit: 'stepTimeoutMs',
    atMostMs: 4000,
    steps: [SLOW_STEPS.join('; ')],
    config: { ...fast, timeouts: { stepTimeoutMs: 4000 } },
    from: is(E.STEP_STARTED),
    until: is(E.STEP_FAILED),
  },
  {
    limit: 'requestTimeoutMs',
    atMostMs: 3000,
    steps: [`Open ${SITE}/hangs`],
    config: { ...fast, timeouts: { requestTimeoutMs: 3000 } },
    activity: 'runCommands',
    from: is(E.COMMAND_STARTED),
    until: is(E.COMMAND_FAILED),
  },
  {
    limit: 'executorConfig.timeoutMs',
    atMostMs: 2000,
    steps: [`Open ${SITE}/hangs`],
    config: { ...fast, executorConfig: { ...fast.executorConfig, timeoutMs: 2000 } },
    activity: 'runCommands',
    from: is(E.COMMAND_STARTED),
    until: is(E.COMMAND_FAILED),
  },
  {
    limit: 'aiConfig.timeoutMs',
    atMostMs: 3000,
    steps: [`Open ${SITE}/`],
    config: { ...fast, timeouts: once, aiConfig: { model: 'ai:openai-compatible/hangs', timeoutMs: 3000 } },
    activity: 'decide',
    from: is(E.STEP_STARTED),
    until: is(E.STEP_FAILED),
  },
  {
    limit: 'agent.approvalTimeoutMs',
    atMostMs: 3000,
    steps: [`Open ${SITE}/`, 'Click "Delete the account"'],
    config: { ...fast, agent: { approvalMode: 'default', approvalTimeoutMs: 3000 } },
    from: says('pausedFor', 'approval'),
    until: is(E.STEP_FAILED),
  },
  {
    limit: 'agent.idleTimeoutMs',
    atMostMs: 3000,
    steps: [`Open ${SITE}/`],
    config: { ...fast, agent: { stayOpen: true, idleTimeoutMs: 3000 } },
    from: says('waitingFor', 'message'),
    until: is(E.WORKFLOW_COMPLETED),
  },
];

/** Needs a Chrome that never comes up. */
export const NO_CHROME: LimitCase = {
  limit: 'connectionTimeoutMs',
  atMostMs: 6000,
  steps: [`Open ${SITE}/`],
  config: { ...fast, timeouts: { ...once, connectionTimeoutMs: 6000 } },
  activity: 'acquireBrowser',
  from: is(E.WORKFLOW_STARTED),
  until: is(E.WORKFLOW_FAILED),
};
