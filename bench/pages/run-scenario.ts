import { SessionStatus } from '../../contracts/sessions/session';
import { isTerminal } from '../../contracts/events/log';
import { restClient, type Harness } from '../harness/harness';
import type { Scenario, Truth } from './scenario';

export interface ScenarioResult {
  name: string;
  steps: readonly string[];
  /** PAUSED stands for a session that asked a person, and `none` for one that did not end in time. */
  status: SessionStatus | 'none';
  /** Right at the first try: completed and true, or, on a page that works against its user, nothing wrong. */
  isRight: boolean;
  /** The session says COMPLETED and the page says otherwise. */
  isFalse: boolean;
  /** What the session says of its failure. */
  reason: string;
  truth: Truth;
  tookMs: number;
}

const LIMIT_MS = 60_000;
const POLL_MS = 100;
const CONFIG = {
  executorConfig: { screenshotsEnabled: false },
  aiConfig: { model: 'rules' },
  timeouts: { workflowTimeoutMs: 55_000, stepTimeoutMs: 45_000 },
};

/** Runs one scenario as a session over REST, and judges it by what the page says of itself. */
export async function runScenario(
  { api, sessions }: Harness,
  address: string,
  scenario: Scenario,
  truthOf: () => Truth,
): Promise<ScenarioResult> {
  const { name, steps, isTrue, isHarmless } = scenario;
  const startedAt = performance.now();
  const client = restClient(api);
  const { sessionId } = await client.startSession({ steps: [`Open ${address}`, ...steps], config: CONFIG });
  let status: SessionStatus | undefined;
  while (status === undefined && performance.now() - startedAt < LIMIT_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const now = (await sessions.get(sessionId)).session.status;
    if (now !== SessionStatus.ACTIVE && now !== SessionStatus.INITIALIZING) status = now;
  }
  const tookMs = performance.now() - startedAt;
  const { error } = await sessions.get(sessionId);
  const records = await sessions.events(sessionId, 0, 1000);
  if (!records.some(({ type }) => isTerminal(type))) await client.cancelSession(sessionId).catch(() => undefined);
  const truth = truthOf();
  const isCompleted = status === SessionStatus.COMPLETED;
  const isRight =
    isHarmless === undefined ? isCompleted && isTrue(truth) : isHarmless(truth) && (!isCompleted || isTrue(truth));
  return {
    name,
    steps,
    status: status ?? 'none',
    isRight,
    isFalse: isCompleted && !isTrue(truth),
    reason: error?.message ?? '',
    truth,
    tookMs,
  };
}
