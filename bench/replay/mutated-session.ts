import { randomUUID } from 'node:crypto';
import type { Sessions } from '../../service/port/port';
import { replayedIn } from '../../contracts/recipes/in-reply';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Store } from '../../store/store';
import { endedSession } from '../harness/harness';
import { retryUntil } from '../chaos/retry-until';
import { oneOf, type Random } from '../chaos/random';
import type { MutatedSite } from './mutated-site';
import { MUTATION_KINDS, type Mutation } from './mutations';

/** A page of the shop, one click on it, and where its element is before the page is changed. */
export interface ClickFlow {
  path: string;
  click: string;
  selector: string;
}

export const CLICK_FLOWS: readonly ClickFlow[] = [
  { path: '/parts/counter', click: 'Click "Add one"', selector: 'form[action="/parts/counter"] button' },
  {
    path: '/parts/equal-names',
    click: 'Click the Delete button next to Red tent',
    selector: '#items li:nth-child(2) button',
  },
  { path: '/parts/form', click: 'Click "Send"', selector: '#form button' },
  { path: '/parts/form', click: 'Check "Send me news"', selector: 'input[name=news]' },
  { path: '/catalogue', click: 'Click the "Alder Trail Socks" link', selector: 'a[href$="/alder-trail-socks"]' },
];

export type Outcome = 'found' | 'healed' | 'by the model' | 'refused' | 'wrong';

/** What became of a session on a changed page, and which clicks were wrong: of the recipe, or of the model behind it. */
export interface MutatedSession {
  path: string;
  mutations: readonly Mutation[];
  outcome: Outcome;
  /** Markup of wrongly clicked elements. */
  wrong: string[];
  clickedBy: 'recipe' | 'model' | 'both' | 'nobody';
}

/** One change, or two at once: drawn from the seed. */
export function drawMutations(kind: Mutation, isDouble: boolean, random: Random): Mutation[] {
  const others = MUTATION_KINDS.filter((other) => other !== kind);
  return isDouble ? [kind, oneOf(random, others)!] : [kind];
}

interface Client {
  sessions: Pick<Sessions, 'start' | 'get' | 'follow'>;
  store: Store;
}

const ENDED_WITHIN_MS = 180_000;
const LEARNT_WITHIN_MS = 60_000;

/** Has `rules` do the flow on the page as it is, and promotes what it leaves. Resolves to the id of the click's recipe. */
export async function learnFlow(client: Client, site: MutatedSite, flow: ClickFlow): Promise<string> {
  const { sessionId, status } = await run(client, site, flow, randomUUID());
  if (status !== SessionStatus.COMPLETED)
    throw new Error(`The flow on ${flow.path} ended ${status} before any change.`);
  // Two flows begin on one page: the recipe that opens it is the first one's.
  const learnt = await retryUntil(`the recipe of ${flow.click}`, LEARNT_WITHIN_MS, async () =>
    (await client.store.recipes.list()).find(({ source }) => source.sessionId === sessionId && source.stepIndex === 1),
  );
  return learnt.recipeId;
}

/** The flow on a changed page, by its recipe with `rules` behind it. What the sessions before have left is not used. */
export async function runMutated(
  client: Client,
  site: MutatedSite,
  flow: ClickFlow,
  recipeId: string,
  mutations: readonly Mutation[],
): Promise<MutatedSession> {
  const label = randomUUID();
  site.change(label, { selector: flow.selector, mutations });
  await client.store.recipes.promote(recipeId, 1, { by: 'person' });
  const { sessionId, status } = await run(client, site, flow, label);
  const replies = await client.store.memory.repliesOf(sessionId, 1);
  const acting = replies.filter(
    ({ commands, reply }) => commands.length > 0 && replayedIn(reply.context)?.isWaiting === undefined,
  );
  const leaders = new Set(acting.map(({ reply }) => (replayedIn(reply.context) === undefined ? 'model' : 'recipe')));
  const clickedBy = leaders.size === 2 ? 'both' : ([...leaders][0] ?? 'nobody');
  const { wrong } = site.clicksOf(label);
  const isHealed = acting.some(({ reply }) => replayedIn(reply.context)?.isHealed === true);
  const done = clickedBy === 'recipe' ? (isHealed ? 'healed' : 'found') : 'by the model';
  const outcome = wrong.length > 0 ? 'wrong' : status === SessionStatus.COMPLETED ? done : 'refused';
  return { path: flow.path, mutations, outcome, wrong, clickedBy };
}

async function run(
  { sessions }: Client,
  { url }: MutatedSite,
  { path, click }: ClickFlow,
  label: string,
): Promise<{ sessionId: string; status: SessionStatus }> {
  const { sessionId } = await sessions.start({
    steps: ['Open ${shop}' + path + '?run=${run}', click],
    variables: { shop: url, run: label },
    config: { replay: 'prefer', maxIterations: 3, executorConfig: { screenshotsEnabled: false } },
  });
  return { sessionId, status: (await endedSession(sessions, sessionId, ENDED_WITHIN_MS)).session.status };
}
