import type { SessionConfig } from './config';

/** Limits that others are made of. Those after `executorConfig.timeoutMs` belong to one call. */
export type LimitName =
  | 'connectionTimeoutMs'
  | 'requestTimeoutMs'
  | 'aiConfig.timeoutMs'
  | 'executorConfig.timeoutMs'
  | 'toolTimeoutMs'
  | 'waitForBrowserMs'
  | 'phaseMs'
  | 'pickupMs';

/** Milliseconds of the limits that are known, and how many commands a batch has. */
export type LimitValues = { readonly [Name in LimitName | 'commands']?: number };

/** Milliseconds, a limit, or a limit several times. */
type Term = number | LimitName | readonly [times: number | 'commands', LimitName];

/** The sum of its terms. */
export type Limit = readonly Term[];

/** The tries that Temporal makes by itself: after a worker's death, an outage of the database, a full host. */
export const OUTAGE_TRIES = { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 5000 } as const;

const HEARTBEAT_MS = 1000;
/** A vendor's call whose worker is taken for dead is made and paid a second time, so a busy worker gets longer. */
const VENDOR_HEARTBEAT_MS = 5000;
/** An engine worker with many sessions may be busy for longer than a second. */
export const ENGINE_HEARTBEAT_MS = 3000;
/** A process that runs tools for its user may be busy with one of them; the API beats for a relayed call about every 3 s. */
const FOREIGN_HEARTBEAT_MS = 10_000;
/** A live worker takes its task at once; after this time another worker of the host gets it. */
const WORKER_PICKUP_MS = 1000;
/** A host with live workers takes a task well within this time; after it, the heartbeats of its keeper are checked. */
export const HOST_PICKUP_MS = 3000;
/** The calls of one decision that can each last: an answer and its repair, both once more with room where they were cut off. */
const MODEL_CALLS = 4;
/** Added to the commands' own limits for the snapshot and for writing: a page that hangs is given up after 30 s. */
export const BATCH_MARGIN_MS = 40_000;
/** The timer of the step comes first, and says why. */
const STEP_MARGIN_MS = 10_000;

/** The limits of an activity that is sent to one queue. */
export interface ActivityLimits {
  readonly activities: readonly string[];
  /** `worker`: the one that is attached to the browser; `host`: any other of its host; `caller`: the process of the user. */
  readonly sentTo: 'engine' | 'hosts' | 'worker' | 'host' | 'caller';
  /** How long it waits for a worker (scheduleToStart). */
  readonly pickup?: { readonly atMostMs?: number; readonly limit: Limit };
  /** One try (startToClose). */
  readonly once: Limit;
  /** What ends all tries (scheduleToClose): what is left of the step + 10 s, the phase, or the session's run. */
  readonly allWithin: 'step' | 'phase' | 'run';
  readonly heartbeatMs: number;
  /** Unlimited where it is absent. */
  readonly tries?: number;
}

const engine = { sentTo: 'engine', heartbeatMs: ENGINE_HEARTBEAT_MS, allWithin: 'run' } as const;
const worker = {
  sentTo: 'worker',
  pickup: { limit: [WORKER_PICKUP_MS] },
  heartbeatMs: HEARTBEAT_MS,
  tries: 1,
} as const;
const host = { sentTo: 'host', heartbeatMs: HEARTBEAT_MS, tries: 3 } as const;
const batch = { once: [['commands', 'executorConfig.timeoutMs'], BATCH_MARGIN_MS], allWithin: 'step' } as const;
const phase = { once: ['phaseMs', BATCH_MARGIN_MS], allWithin: 'step' } as const;
const ending = { activities: ['captureFailure', 'closeBrowser'], once: [25_000], allWithin: 'run' } as const;
/** A slow page is waited for before its browser is released: its snapshot and its checkpoint are taken. */
const release = { activities: ['releaseBrowser'], once: [70_000], allWithin: 'run' } as const;
const whileHostIsAsked = { atMostMs: HOST_PICKUP_MS, limit: ['connectionTimeoutMs'] } as const;
const whileHostReturns = { limit: ['connectionTimeoutMs'] } as const;

/** Every timeout, heartbeat and retry of the engine's activities; docs/timeouts.md and `surefoot show --timeouts` print it. */
export const ACTIVITY_LIMITS = {
  moment: {
    ...engine,
    activities: [
      'planStart',
      'openSession',
      'readStep',
      'readSteps',
      'newestStep',
      'judgeSignIn',
      'checkMessage',
      'storeSteps',
      'planParallelStep',
      'collectParallelSteps',
      'publishEvents',
      'updateQueuePosition',
      'requestCancel',
      'leaseProfile',
      'leaseSecrets',
      'isHostGone',
      'recoverSession',
      'abandonSession',
    ],
    once: [10_000],
  },
  /** A page of rows of a batch is planned. */
  'rows of a batch': { ...engine, activities: ['takeRows'], once: [60_000] },
  model: {
    activities: ['decide', 'runModelTurn'],
    sentTo: 'engine',
    once: [[MODEL_CALLS, 'aiConfig.timeoutMs'], 30_000],
    allWithin: 'step',
    heartbeatMs: VENDOR_HEARTBEAT_MS,
  },
  assess: {
    activities: ['assess'],
    sentTo: 'engine',
    once: ['phaseMs'],
    allWithin: 'phase',
    heartbeatMs: VENDOR_HEARTBEAT_MS,
  },
  plan: {
    ...engine,
    activities: [
      'planCall',
      'planStepCommand',
      'planWayBack',
      'getCommandOutcome',
      'beginCall',
      'storeToolResult',
      'endCancelledCall',
      'endOpenCalls',
      'lookInMailbox',
    ],
    once: [30_000],
  },
  /** The margin is for writing its intent and its end. */
  tool: { ...engine, activities: ['runTool'], once: ['toolTimeoutMs', 10_000], heartbeatMs: VENDOR_HEARTBEAT_MS },
  /** The margin is for the calls before it in the queue of its browser, and for reporting its result. */
  relay: {
    ...engine,
    activities: ['relayCall'],
    once: ['toolTimeoutMs', 'waitForBrowserMs', 60_000],
    heartbeatMs: FOREIGN_HEARTBEAT_MS,
  },
  caller: {
    activities: ['executeTool', 'askTool'],
    sentTo: 'caller',
    pickup: { limit: ['pickupMs'] },
    once: ['toolTimeoutMs', 10_000],
    allWithin: 'run',
    heartbeatMs: FOREIGN_HEARTBEAT_MS,
    tries: 1,
  },
  /** The wait for a free host is the queue: no failure, and no active time. */
  acquire: {
    activities: ['acquireBrowser'],
    sentTo: 'hosts',
    once: ['connectionTimeoutMs', 'requestTimeoutMs'],
    allWithin: 'run',
    heartbeatMs: HEARTBEAT_MS,
  },
  'commands by worker': { ...worker, ...batch, activities: ['runCommands', 'decideAndRun', 'lookAtSite'] },
  'commands by host': {
    ...host,
    ...batch,
    pickup: whileHostIsAsked,
    activities: ['runCommands', 'decideAndRun', 'lookAtSite'],
  },
  'explore by worker': { ...worker, ...phase, activities: ['explore'] },
  'explore by host': { ...host, ...phase, pickup: whileHostIsAsked, activities: ['explore'] },
  'ending by worker': { ...worker, ...ending },
  'ending by host': { ...host, ...ending, pickup: whileHostReturns },
  'release by worker': { ...worker, ...release },
  'release by host': { ...host, ...release, pickup: whileHostReturns },
} as const satisfies Record<string, ActivityLimits>;

/** A session may ask for limits of any length; Temporal takes none of centuries. */
const LONGEST_MS = 10 * 365 * 86_400_000;

const bounded = (ms: number): number => Math.min(ms, LONGEST_MS);

/** Sums a limit up; a value that is not known is a mistake of the code. */
export function limitMs(limit: Limit, values: LimitValues): number {
  return limit.reduce<number>((sum, term) => {
    if (typeof term === 'number') return sum + term;
    if (typeof term === 'string') return sum + valueOf(term, values);
    const [times, name] = term;
    return sum + (times === 'commands' ? valueOf(times, values) : times) * valueOf(name, values);
  }, 0);
}

function valueOf(name: keyof LimitValues, values: LimitValues): number {
  const value = values[name];
  if (value === undefined) throw new Error(`A limit is made of ${name}, which this call does not have.`);
  return value;
}

/** The options of Temporal, in milliseconds. `leftMs` is what the step, or the phase, has left. */
export function activityOptions(row: keyof typeof ACTIVITY_LIMITS, values: LimitValues = {}, leftMs?: number) {
  const { pickup, once, allWithin, heartbeatMs, tries }: ActivityLimits = ACTIVITY_LIMITS[row];
  const margin = allWithin === 'step' ? STEP_MARGIN_MS : 0;
  return {
    ...(pickup === undefined
      ? {}
      : { scheduleToStartTimeout: bounded(Math.min(pickup.atMostMs ?? Infinity, limitMs(pickup.limit, values))) }),
    startToCloseTimeout: bounded(limitMs(once, values)),
    ...(leftMs === undefined || allWithin === 'run' ? {} : { scheduleToCloseTimeout: bounded(leftMs + margin) }),
    heartbeatTimeout: heartbeatMs,
    retry: tries === 1 ? { maximumAttempts: 1 } : { ...OUTAGE_TRIES, ...(tries && { maximumAttempts: tries }) },
  };
}

/** Pauses, people, and the wait for a browser are no active time: so long they may take together before Temporal ends a session. */
const WAITING_BACKSTOP_MS = 365 * 86_400_000;

/** The execution and run timeout of a session's workflow; the workflow's own timer counts the active time and comes first. */
export function workflowBackstop(workflowTimeoutMs: number) {
  // The request of a child workflow is validated where it runs.
  const backstop = bounded(workflowTimeoutMs > 0 ? workflowTimeoutMs : 0) + WAITING_BACKSTOP_MS;
  return { workflowExecutionTimeout: backstop, workflowRunTimeout: backstop };
}

/** The limits of a session that do not belong to one call. */
export function limitValues({
  timeouts,
  ai,
  executor,
}: Pick<SessionConfig, 'timeouts'> & {
  ai: { timeoutMs: number };
  executor: { timeoutMs: number };
}): LimitValues {
  const { connectionTimeoutMs, requestTimeoutMs } = timeouts;
  return {
    connectionTimeoutMs,
    requestTimeoutMs,
    'aiConfig.timeoutMs': ai.timeoutMs,
    'executorConfig.timeoutMs': executor.timeoutMs,
  };
}
