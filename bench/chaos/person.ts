import { setTimeout as delay } from 'node:timers/promises';
import type { WaitingFor } from '../../contracts/unknown-outcome';
import type { Stage } from '../stage';

const LOOK_EVERY_MS = 1000;

/**
 * Somebody who is asked what nobody else can know, for as long as a session runs: looks into the shop's book for an
 * order, can't see into a cart (and gives the session up), and lets everything else, which does no harm, be done again.
 */
export async function answerQuestions(
  stage: Stage,
  { sessionId, run }: { sessionId: string; run: string },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The API may be dead just now, and an answer that got lost is given again.
    await answerOne(stage, sessionId, run).catch(() => undefined);
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function answerOne({ api, shop }: Stage, sessionId: string, run: string): Promise<void> {
  const session = `${api}/v1/sessions/${sessionId}`;
  const { data } = (await read(session)) as { data: { waitingFor: WaitingFor | null } };
  if (data.waitingFor === null) return;
  const { commandId, target } = data.waitingFor.unknown;
  if (target?.name === 'Add to cart') return void (await fetch(`${session}/cancel`, { method: 'POST' }));
  const { count } = (await read(`${shop}/admin/orders?run=${run}`)) as { count: number };
  await fetch(`${session}/resolve-unknown`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ commandId, happened: target?.name === 'Place order' && count > 0 }),
  });
}

async function read(url: string): Promise<unknown> {
  return await (await fetch(url, { signal: AbortSignal.timeout(5000) })).json();
}
