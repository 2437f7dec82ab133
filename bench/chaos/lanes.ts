import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage';
import { persist } from './persist';
import { answerQuestions } from './person';
import { seededRandom, type Random } from './random';
import { viewSession, type Viewing } from './viewer';

/** One session of the run, with what its viewers saw. */
export interface Played {
  /** The label that the shop counts its orders under. */
  run: string;
  sessionId: string;
  viewings: Viewing[];
}

export interface Lanes {
  /** Ids of the sessions that run now. */
  running(): string[];
  /** Starts no further session, and resolves to all of them when the last has ended. */
  finish(): Promise<Played[]>;
}

const VIEWERS = 3;
const START_WITHIN_MS = 60_000;
const END_WITHIN_MS = 240_000;

/** So many lanes of demo sessions beside each other, one session after another in each. */
export function openLanes(stage: Stage, count: number, random: Random): Lanes {
  const running = new Set<string>();
  const played: Played[] = [];
  let isFinishing = false;

  async function lane(own: Random): Promise<void> {
    while (!isFinishing) {
      const run = randomUUID();
      const sessionId = await persist('a session is accepted', START_WITHIN_MS, () => startSession(stage, run));
      running.add(sessionId);
      const limit = AbortSignal.timeout(END_WITHIN_MS);
      const url = `${stage.api}/v1/sessions/${sessionId}/events`;
      const ended = new AbortController();
      const answering = answerQuestions(stage, { sessionId, run }, ended.signal);
      const watching = Promise.all(Array.from({ length: VIEWERS }, () => viewSession(url, own, limit)));
      const viewings = await watching.finally(() => ended.abort());
      await answering;
      running.delete(sessionId);
      played.push({ run, sessionId, viewings });
    }
  }

  const lanes = Promise.all(Array.from({ length: count }, () => lane(seededRandom(random() * 2 ** 32))));
  // Heard at `finish`; until then it must not end the process.
  lanes.catch(() => {});
  return {
    running: () => [...running],
    async finish() {
      isFinishing = true;
      await lanes;
      return played;
    },
  };
}

/** Undefined while the API or what it needs is away: asking again under the same key starts no second session. */
async function startSession({ api, shop }: Stage, run: string): Promise<string | undefined> {
  const answer = await fetch(`${api}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': run },
    body: JSON.stringify(demoRequest(shop, run)),
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.status >= 500) return undefined;
  if (!answer.ok) throw new Error(`The API refused the demo session: ${await answer.text()}`);
  return ((await answer.json()) as { data: { sessionId: string } }).data.sessionId;
}

function demoRequest(shop: string, run: string): object {
  const file = join(__dirname, '..', '..', 'examples', 'demo-session.json');
  const { steps, variables, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as {
    steps: string[];
    variables: Record<string, unknown>;
  };
  return {
    ...rest,
    steps: steps.map((step, index) => (index === 0 ? `${step}?run=${run}` : step)),
    variables: { ...variables, shop },
  };
}
