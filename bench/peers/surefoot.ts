import { randomUUID } from 'node:crypto';
import { isOpen, SessionStatus } from '../../contracts/sessions/session';
import { isStreamType, type LogRecord } from '../../contracts/events/log';
import type { StartRequest } from '../../contracts/sessions/start-request';
import type { StreamEvent } from '../../contracts/events/stream-event';
import { findTargets } from '../chaos/faults/targets';
import { answerUnknownOutcome, unknownCommand } from '../chaos/load/answer-unknown-outcome';
import { oneOf, type Random } from '../chaos/random';
import { endedSession, type Harness } from '../harness/harness';
import { requestOf } from '../replay/flow';
import { FLOWS } from '../replay/flows';
import { learnt } from '../replay/learnt';
import { PLAIN_WORKER } from './plain-temporal';
import { stackProcesses } from './stack-processes';
import { RUN_LIMIT_MS, type Ran, type System } from './system';

type Config = NonNullable<StartRequest['config']>;

const [DEMO] = FLOWS;
const OTHERS: readonly unknown[] = ['shop', PLAIN_WORKER];
const BY_RULES: Config = { aiConfig: { model: 'rules' } };

/** Sessions of this engine. A person who reads the shop's order book answers what they ask. */
export function surefoot(harness: Harness, name: string, config: Config): System {
  const { sessions, shop } = harness;
  let current: string | undefined;

  async function order(run: string): Promise<Ran> {
    const { sessionId } = await sessions.start(requestOf(DEMO!, shop, run, config));
    current = sessionId;
    const asked = new Map<string, Promise<boolean>>();
    const answer = (record: LogRecord): void => {
      const commandId = isStreamType(record.type) ? unknownCommand(record as unknown as StreamEvent) : undefined;
      if (commandId === undefined || asked.has(commandId)) return;
      asked.set(commandId, answerUnknownOutcome(harness, { sessionId, run }, commandId));
    };
    try {
      for await (const batch of sessions.follow(sessionId, 0, AbortSignal.timeout(RUN_LIMIT_MS))) batch.forEach(answer);
      await Promise.all(asked.values());
    } catch (error) {
      console.error(`  ${sessionId}: ${(error as Error).message}`);
    }
    current = undefined;
    const { session, usage, error } = await sessions.get(sessionId);
    if (error !== null) console.log(`  ${sessionId} ended ${session.status}: ${error.message}`);
    const isWell = session.status === SessionStatus.COMPLETED;
    return {
      end: isOpen(session.status) ? 'never' : isWell ? 'well' : 'failed',
      ...(usage.totalTokens === 0 ? {} : { tokens: usage.totalTokens }),
      asked: asked.size,
    };
  }

  /** An engine worker, or the browser worker that drives the page. */
  async function findVictim(random: Random): Promise<number | undefined> {
    if (current === undefined) return undefined;
    if (random() < 0.5) return oneOf(random, findTargets(harness, 'engine'))?.pid;
    const lease = await harness.store.leases.get(current);
    const workers = findTargets(harness, 'worker');
    return workers.find(({ pid }) => lease?.workerId.includes(`-${pid}-`) === true)?.pid;
  }

  return {
    name,
    isOurs: true,
    order,
    findVictim,
    processes: () => stackProcesses(harness, (each) => !OTHERS.includes(each)),
  };
}

export const rules = (harness: Harness): System => surefoot(harness, 'surefoot, rules', { ...BY_RULES, replay: 'off' });

/** By the recipes that one session led by `rules` has left; where one fails under kills, `rules` go on. */
export async function recipe(harness: Harness): Promise<System> {
  const config: Config = { ...BY_RULES, replay: 'prefer' };
  const { sessionId } = await harness.sessions.start(requestOf(DEMO!, harness.shop, randomUUID(), config));
  await endedSession(harness.sessions, sessionId, RUN_LIMIT_MS);
  await learnt(harness, sessionId, DEMO!);
  return surefoot(harness, 'surefoot, recipe', config);
}

export const byModel = (harness: Harness, model: string): System =>
  surefoot(harness, 'surefoot, model of 2 s', { aiConfig: { model }, replay: 'off' });
