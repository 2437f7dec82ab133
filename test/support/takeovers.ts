/** Persons at browsers of a stage: the workers that do what they ask for, and what came of it. */
import { randomUUID } from 'node:crypto';
import type { PersonAct } from '../../contracts/browsers/takeover';
import { createTakeoverControl } from '../../service/sessions/takeover';
import { startTakeovers } from '../../worker/takeovers';
import { silent } from '../api/fixture';
import type { BrowserStage } from './browser-harness';
import type { StagedSession } from './browser-session';
import { eventually } from './eventually';

export const at = ({ x, y }: { x: number; y: number }): PersonAct => ({
  kind: 'click',
  x,
  y,
  button: 'left',
  clicks: 1,
});
export const text = (typed: string): PersonAct => ({ kind: 'text', text: typed });

export function persons(stage: BrowserStage, workerId = 'first', limitMs = 60_000, dialogMs = 60_000) {
  const { attachments } = stage.worker(workerId);
  return startTakeovers(
    { store: stage.store, attachments, env: stage.env },
    { hostId: 'stage', workerId, limitMs, dialogMs, logger: silent },
  );
}

/** Pauses as the workflow would, once it is asked to. */
export function controlOf({ store }: BrowserStage, session: StagedSession) {
  return createTakeoverControl({
    store,
    send: async (name) => {
      expect(name).toBe('pause');
      await session.pause(true);
      return undefined as never;
    },
  });
}

export async function takenOver(
  stage: BrowserStage,
  html: string,
  facts?: Parameters<BrowserStage['newSession']>[0],
): Promise<{ session: StagedSession; takeoverId: string }> {
  const session = await stage.newSession(facts);
  await session.open(stage.page(`/${randomUUID()}`, html));
  const takeoverId = randomUUID();
  expect(await controlOf(stage, session).takeOver(session.sessionId, { takeoverId, by: 'ada' })).toMatchObject({
    state: 'open',
  });
  return { session, takeoverId };
}

export const numbered = (acts: PersonAct[], first = 1) => acts.map((act, index) => ({ number: first + index, act }));

/** The commands of persons in the log: action, element and how it ended. */
export async function logged({ store }: BrowserStage, { sessionId }: StagedSession) {
  const records = await store.log.read(sessionId, 0, 1000);
  return records
    .filter(({ data, type }) => data.details?.['by'] === 'person' && type !== 'COMMAND_STARTED')
    .map(({ data, type }) => [
      data.command!.action,
      data.details!['element'],
      data.command!.parameters.text,
      type.slice(8),
    ]);
}

export async function ended(stage: BrowserStage, session: StagedSession) {
  return await eventually('the takeover has ended', async () => {
    const takeover = await controlOf(stage, session).takeover(session.sessionId);
    return takeover.state === 'ended' ? takeover : undefined;
  });
}
