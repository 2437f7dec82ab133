import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../../../client/http/api-client';
import { armFaults } from '../../../runtime/fault-point';
import type { StreamEvent } from '../../../contracts/events/stream-event';
import { sessionIdFromKey } from '../../../store/sessions/session-id';
import { restClient, type HarnessClient } from '../../harness/harness';
import { requestedApproval, approve, type Decision } from './approve';
import { watchFaults, type FaultPlan } from '../faults/fault-plan';
import { demoRequest, type SessionForm } from './demo-request';
import type { ReplayedDemo } from './replayed-demo';
import type { Scenario, SeenMeanwhile } from '../scenarios/scenario';
import { stepByStep } from '../../harness/step-by-step';
import { retryUntil } from '../retry-until';
import { answerUnknownOutcome, unknownCommand } from './answer-unknown-outcome';
import { seededRandom, type Random } from '../random';
import { viewSession, type Viewing } from './viewer';

/** One session of the run, with what its viewers received and how its questions were answered. */
export interface WatchedSession {
  /** The label under which the shop counts its orders. */
  run: string;
  sessionId: string;
  form: SessionForm;
  /** Absent for the demo. */
  scenario?: Scenario | undefined;
  viewings: Viewing[];
  /** Answers by command id: whether the command had happened. */
  answers: ReadonlyMap<string, boolean>;
  decisions: Decision[];
  /** What a scenario has seen beside its viewers. */
  meanwhile?: Pick<SeenMeanwhile, 'log' | 'breaches'> | undefined;
}

export interface SessionLoad {
  /** Returns the ids of the running sessions. */
  running(): string[];
  /** Returns the time of the newest command event that any viewer received. */
  lastCommandAt(): number;
  /** Resolves to all sessions when the last has ended; `stop` starts no further session. */
  finish(order?: 'stop'): Promise<WatchedSession[]>;
}

export interface LoadOptions {
  count: number;
  random: Random;
  /** Every n-th session of a loop is a task; 0 for none. */
  tasks: number;
  /** What the sessions do in place of the demo led by `rules`. */
  replayed?: ReplayedDemo | undefined;
  /** Returns the faults of the next session; undefined starts no further session. */
  nextFaultPlan?: () => FaultPlan | undefined;
  onKill?: (kill: { sessionId: string; what: string; at: number }) => void;
}

type StartBody = Parameters<ApiClient['startSession']>[0];

const VIEWERS = 3;
const START_WITHIN_MS = 60_000;
/** A session without events for this long is stuck. The whole session has no limit, because a busy machine is slow. */
const QUIET_MS = 180_000;
const TENANT = 'default';

/** Runs demo sessions in parallel loops, one session after another in each. */
export function startSessionLoad(client: HarnessClient, options: LoadOptions): SessionLoad {
  const { count, random, tasks, replayed, nextFaultPlan, onKill = () => {} } = options;
  const running = new Set<string>();
  const watched: WatchedSession[] = [];
  let lastCommandAt = 0;
  let isFinishing = false;

  async function loop(own: Random, first: number): Promise<void> {
    // The form is not drawn at random, so that a seed means the same with and without tasks.
    for (let number = first; !isFinishing; number += 1) {
      const plan = nextFaultPlan?.();
      if (nextFaultPlan !== undefined && plan === undefined) return;
      const isInTurn = plan?.scenario === undefined && tasks > 0 && number % tasks === tasks - 1;
      const isTask = plan?.needsTask === true || isInTurn;
      watched.push(await runSession(own, isTask ? 'task' : 'steps', plan));
    }
  }

  async function runSession(own: Random, form: SessionForm, plan: FaultPlan | undefined): Promise<WatchedSession> {
    const run = randomUUID();
    // The id is known before the start, so that faults can be armed for its first moments.
    const sessionId = sessionIdFromKey(TENANT, run);
    if (plan !== undefined) armFaults(client.home, plan.faults, sessionId);
    const scenario = plan?.scenario;
    const given =
      scenario?.request(client.shop, run) ?? (await replayed?.request(run)) ?? demoRequest(client.shop, run, form);
    const request = plan?.faults.includes('during-handover') === true ? stepByStep(given) : given;
    await retryUntil('a session is accepted', START_WITHIN_MS, () => startSession(client, run, request, sessionId));
    running.add(sessionId);
    const isOver = (): boolean => !running.has(sessionId);
    const report = (what: string, at: number): void => onKill({ sessionId, what, at });
    const meanwhile = scenario?.meanwhile?.(client, sessionId, run);
    meanwhile?.catch(() => {});
    const watching = plan && watchFaults(client, sessionId, plan, isOver, report);
    const seen = await viewByMany(client, { sessionId, run, scenario }, own, ({ timestamp, data }) => {
      if (data.command !== undefined) lastCommandAt = Math.max(lastCommandAt, new Date(timestamp).getTime());
    });
    running.delete(sessionId);
    await watching;
    const more = (await meanwhile) ?? undefined;
    const viewings = [...seen.viewings, ...(more?.viewings ?? [])];
    return { run, sessionId, form, scenario, ...seen, viewings, meanwhile: more };
  }

  const loops = Promise.all(Array.from({ length: count }, (_, index) => loop(seededRandom(random() * 2 ** 32), index)));
  // `finish` awaits this promise; a rejection before must not end the process.
  loops.catch(() => {});
  return {
    running: () => [...running],
    lastCommandAt: () => lastCommandAt,
    async finish(order) {
      isFinishing ||= order === 'stop';
      await loops;
      return watched;
    },
  };
}

/** Several viewers follow the session to its end; the first that receives a question answers it. */
async function viewByMany(
  client: HarnessClient,
  session: Pick<WatchedSession, 'sessionId' | 'run' | 'scenario'>,
  random: Random,
  onEvent: (event: StreamEvent) => void,
): Promise<Pick<WatchedSession, 'viewings' | 'answers' | 'decisions'>> {
  const giveUp = new AbortController();
  const quiet = setTimeout(() => giveUp.abort(), QUIET_MS);
  const url = `${client.api}/v1/sessions/${session.sessionId}/events`;
  const asked = new Map<string, Promise<boolean>>();
  const deciding = new Map<string, Promise<Decision>>();
  const onEach = (event: StreamEvent): void => {
    quiet.refresh();
    onEvent(event);
    const approvalId = requestedApproval(event);
    if (approvalId !== undefined && !deciding.has(approvalId)) deciding.set(approvalId, approve(client, approvalId));
    const commandId = unknownCommand(event);
    if (commandId === undefined || asked.has(commandId)) return;
    asked.set(commandId, answerUnknownOutcome(client, session, commandId));
  };
  const viewings = await Promise.all(
    Array.from({ length: VIEWERS }, () => viewSession(url, random, giveUp.signal, { onEvent: onEach })),
  );
  clearTimeout(quiet);
  const answers = new Map<string, boolean>();
  for (const [commandId, answering] of asked) answers.set(commandId, await answering);
  return { viewings, answers, decisions: await Promise.all(deciding.values()) };
}

/** Rejects while the API is unavailable; a repeat with the same idempotency key starts no second session. */
async function startSession({ api }: HarnessClient, run: string, request: object, expected: string): Promise<string> {
  const { sessionId } = await restClient(api).startSession(request as StartBody, run);
  if (sessionId !== expected) throw new Error(`Expected the session ${expected}, got ${sessionId}.`);
  return sessionId;
}
