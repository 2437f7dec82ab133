import { randomUUID } from 'node:crypto';
import type { PersonAct, Takeover } from '../../../contracts/browsers/takeover';
import type { JournalEntry } from '../../../store/journal/journal';
import { restClient, type HarnessClient } from '../../harness/harness';
import { sendMessage } from '../load/send-message';
import { retryUntil } from '../retry-until';
import { pressesOf, type SeenMeanwhile } from './scenario';

const WITHIN_MS = 90_000;
/** The middle of “Add one” in a view of 1280 by 800 pixels. */
const BUTTON = { x: 200, y: 206 };
const ACTS: readonly PersonAct[] = [
  { kind: 'hover', ...BUTTON },
  { kind: 'click', ...BUTTON, button: 'left', clicks: 1 },
  { kind: 'wheel', ...BUTTON, byX: 0, byY: 100 },
];

type Client = Pick<HarnessClient, 'api' | 'shop' | 'store'>;

/**
 * A person takes the browser over, presses the button, and presses again only where the page shows that it did not happen.
 * Requests are repeated while processes die, as a page repeats them. A browser that was lost is taken over again.
 */
export async function takeOverAndPress(client: Client, sessionId: string, run: string): Promise<SeenMeanwhile> {
  const api = restClient(client.api);
  const takeovers: string[] = [];
  await retryUntil('the page is open', WITHIN_MS, async () => {
    const { progress } = await api.showSession(sessionId);
    return progress.completedSteps > 0 ? true : undefined;
  });
  const hasPressed = async (): Promise<boolean> => (await pressesOf(client.shop, run)) > 0;
  for (let tried = 0; tried < 5 && !(await hasPressed()); tried += 1) {
    const takeoverId = randomUUID();
    takeovers.push(takeoverId);
    const isOpen = await stateIs(client, sessionId, takeoverId, 'open', () => api.takeOver(sessionId, { takeoverId }));
    if (isOpen) await act(client, sessionId, takeoverId);
    await stateIs(client, sessionId, takeoverId, 'ended', () => api.handBack(sessionId, { takeoverId }));
  }
  await sendMessage(client, sessionId, { path: 'close', key: `${run}/close` });
  const journal = await client.store.journal.ofSession(sessionId);
  return { viewings: [], breaches: breachesOf(journal, takeovers) };
}

/** Asks until the takeover is so; false where it has ended before. */
async function stateIs(
  { api }: Client,
  sessionId: string,
  takeoverId: string,
  wanted: Takeover['state'],
  ask: () => Promise<unknown>,
): Promise<boolean> {
  return await retryUntil(`the takeover is ${wanted}`, WITHIN_MS, async () => {
    const refusal = await ask().then(
      () => undefined,
      (error: unknown) => error,
    );
    const takeover = await restClient(api)
      .showTakeover(sessionId)
      .catch((error: unknown) => {
        throw refusal ?? error;
      });
    if (takeover.takeoverId !== takeoverId) return undefined;
    if (takeover.state === wanted) return true;
    return takeover.state === 'ended' ? false : undefined;
  });
}

/** Sends each act until it was taken and begun; a number that was sent before changes nothing. */
async function act({ api }: Client, sessionId: string, takeoverId: string): Promise<void> {
  const acts = ACTS.map((each, index) => ({ number: index + 1, act: each }));
  await retryUntil('the acts are begun', WITHIN_MS, async () => {
    await restClient(api)
      .takeoverInput(sessionId, { takeoverId, acts })
      .catch(() => {});
    const { state, waiting } = await restClient(api).showTakeover(sessionId);
    if (waiting === 0 || state === 'ended') return true;
    throw new Error(`${waiting} of them wait, and the takeover is ${state}.`);
  });
}

/** Each act of a person stands in the journal once at most, and none of a takeover that has ended is left without an end. */
function breachesOf(journal: readonly JournalEntry[], takeovers: readonly string[]): string[] {
  const acts = journal.filter(({ commandId }) => takeovers.some((id) => commandId.startsWith(`person.${id}.`)));
  const twice = acts.length - new Set(acts.map(({ commandId }) => commandId)).size;
  const open = acts.filter(({ status }) => status === 'intended');
  return [
    ...(twice > 0 ? [`${twice} acts of a person stand twice in the journal`] : []),
    ...open.map(({ commandId }) => `the act ${commandId} of a person has no end`),
  ];
}
