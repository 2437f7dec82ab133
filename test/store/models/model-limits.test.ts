/** Which calls of models are made, decided by the database for all workers: rate limits, breakers, budgets. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ModelLimits } from '../../../contracts/models/model-limits';
import { connect, type Sql } from '../../../store/database/connect';
import type { Admission, CallToAdmit, CallToSettle } from '../../../store/models/model-calls';
import type { Store } from '../../../store/store';
import { aPlan, aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
/** With connections of its own. */
let other: Store;
let sql: Sql;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  [store, other] = [await stack.store(), await stack.store()];
  sql = connect(stack.databaseUrl, { maxConnections: 1 });
});
afterAll(async () => {
  await sql.end();
  await stack.stop();
});

const OPEN_LIMITS: ModelLimits = {
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  breaker: { failures: 3, windowMs: 60_000, openMs: 30_000 },
};
const model = 'vertexai/gemini-2.5-flash';

function aCall(change: Partial<CallToAdmit> = {}): CallToAdmit {
  const callId = randomUUID();
  return {
    callId,
    requestedBy: callId,
    attempt: 1,
    stepIndex: 0,
    turn: 0,
    model,
    keyHash: 'key',
    inputTokens: 1000,
    cost: '0.0003',
    priceTable: 't',
    tokens: 2000,
    reservedTokens: 4000,
    reservedCost: '0.01',
    ...change,
  };
}

function itsEnd(call: CallToAdmit, change: Partial<CallToSettle> = {}): CallToSettle {
  return {
    callId: call.callId,
    model: call.model,
    keyHash: call.keyHash,
    inputTokens: 1200,
    outputTokens: 80,
    cachedTokens: 0,
    cost: '0.00056',
    priceTable: 't',
    isEstimated: false,
    outcome: 'replied',
    durationMs: 5,
    verdict: 'answered',
    ...change,
  };
}

const sessions = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => aSession(store)));
const kindsOf = (answers: readonly Admission[]): Record<string, number> => {
  const kinds: Record<string, number> = {};
  for (const { kind } of answers) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
};
/** Everything that is known of this key happened so much earlier. */
async function timePasses(keyHash: string, ms: number): Promise<void> {
  const span = sql`${ms} * interval '1 millisecond'`;
  await sql`update model_admissions set at = at - ${span} where key_hash = ${keyHash}`;
  await sql`
    update model_breakers set since = since - ${span}, open_until = open_until - ${span}, probe_until = probe_until - ${span}
    where key_hash = ${keyHash}`;
}
const placesOf = async (keyHash: string): Promise<{ at: number; tokens: number; isMade: boolean }[]> => {
  const rows = await sql`
    select extract(epoch from at) * 1000 as at, tokens, call_id is not null as is_made from model_admissions
    where key_hash = ${keyHash} order by at`;
  return rows.map((row) => ({ at: Number(row['at']), tokens: row['tokens'], isMade: row['isMade'] }));
};

/** A process of its own that admits all of these at once; resolves to what became of them. */
async function admitElsewhere(asked: {
  calls: { id: string; call: CallToAdmit }[];
  limits: ModelLimits;
}): Promise<string[]> {
  const program = `
    const [, module, text] = process.argv;
    const { databaseUrl, home, calls, limits } = JSON.parse(text);
    require(module).openStore({ databaseUrl, home }).then(async (store) => {
      const answers = await Promise.all(calls.map(({ id, call }) => store.modelCalls.admit(id, call, limits)));
      await store.close();
      process.stdout.write(JSON.stringify(answers.map(({ kind }) => kind)));
    });`;
  const module = join(__dirname, '..', '..', '..', 'dist', 'store', 'store.js');
  const given = JSON.stringify({ ...asked, databaseUrl: stack.databaseUrl, home: stack.home });
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, module, given]);
  return JSON.parse(stdout) as string[];
}

describe('the rate limit of a key', () => {
  it('is kept by 40 callers on two pools at once: ten are admitted, the others get their minute', async () => {
    const limits = { ...OPEN_LIMITS, requestsPerMinute: 10 };
    const keyHash = 'forty';
    const ids = await sessions(40);
    const answers = await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? store : other).modelCalls.admit(id, aCall({ keyHash }), limits)),
    );
    expect(kindsOf(answers)).toEqual({ admitted: 10, held: 30 });
    const places = await placesOf(keyHash);
    expect(places.filter(({ isMade }) => isMade)).toHaveLength(10);
    for (const { at } of places) {
      const within = places.filter((each) => each.at > at - 60_000 + 1 && each.at <= at);
      expect(within.length).toBeLessThanOrEqual(10);
    }
    const waits = answers.flatMap((answer) => (answer.kind === 'held' ? [Math.round(answer.waitMs / 60_000)] : []));
    expect(waits.sort((one, two) => one - two)).toEqual([
      ...Array(10).fill(1),
      ...Array(10).fill(2),
      ...Array(10).fill(3),
    ]);
  });

  it('is kept by independent processes', async () => {
    const limits = { ...OPEN_LIMITS, requestsPerMinute: 25 };
    const asks = await Promise.all(
      [0, 1, 2].map(async () => ({
        calls: (await sessions(20)).map((id) => ({ id, call: aCall({ keyHash: 'alone' }) })),
        limits,
      })),
    );
    const kinds = await Promise.all(asks.map(admitElsewhere));
    expect(kinds.flat().filter((kind) => kind === 'admitted')).toHaveLength(25);
    expect(kinds.flat().filter((kind) => kind === 'held')).toHaveLength(35);
    expect((await placesOf('alone')).filter(({ isMade }) => isMade)).toHaveLength(25);
  });

  it('counts tokens as well, and gives back what a call did not come to', async () => {
    const limits = { ...OPEN_LIMITS, tokensPerMinute: 5000 };
    const keyHash = 'tokens';
    const ids = await sessions(4);
    const first = aCall({ keyHash });
    expect(await store.modelCalls.admit(ids[0]!, first, limits)).toEqual({ kind: 'admitted' });
    expect(await store.modelCalls.admit(ids[1]!, aCall({ keyHash }), limits)).toEqual({ kind: 'admitted' });
    await store.modelCalls.settle(ids[0]!, itsEnd(first), limits);
    expect((await placesOf(keyHash)).map(({ tokens }) => tokens)).toEqual([1280, 2000]);
    expect(await store.modelCalls.admit(ids[2]!, aCall({ keyHash, tokens: 1720 }), limits)).toEqual({
      kind: 'admitted',
    });
    expect(await store.modelCalls.admit(ids[3]!, aCall({ keyHash, tokens: 1 }), limits)).toMatchObject({
      kind: 'held',
    });
  });

  it('keeps the place of one that was held, before all that come later', async () => {
    const limits = { ...OPEN_LIMITS, requestsPerMinute: 1 };
    const keyHash = 'places';
    const [first, second, third] = (await sessions(3)) as [string, string, string];
    const ask = (id: string) => store.modelCalls.admit(id, aCall({ keyHash }), limits);
    expect(await ask(first)).toEqual({ kind: 'admitted' });
    expect(await ask(second)).toMatchObject({ kind: 'held' });
    // One that comes too early, or that another attempt asks for again, keeps its place.
    const again = await ask(second);
    expect(again.kind === 'held' && again.waitMs).toBeLessThanOrEqual(60_000);
    expect(await placesOf(keyHash)).toHaveLength(2);
    await timePasses(keyHash, 60_001);
    // The minute of the second has begun: who comes now for the first time goes behind it.
    expect(await ask(third)).toMatchObject({ kind: 'held' });
    expect(await ask(second)).toEqual({ kind: 'admitted' });
    await timePasses(keyHash, 60_001);
    expect(await ask(third)).toEqual({ kind: 'admitted' });
  });

  it('gives a call that is larger than a whole minute allows a minute of its own', async () => {
    const limits = { ...OPEN_LIMITS, tokensPerMinute: 1000 };
    const keyHash = 'large';
    const [one, two] = (await sessions(2)) as [string, string];
    const ask = (id: string) => store.modelCalls.admit(id, aCall({ keyHash, tokens: 50_000 }), limits);
    expect(await ask(one)).toEqual({ kind: 'admitted' });
    expect(await ask(two)).toMatchObject({ kind: 'held' });
    await timePasses(keyHash, 60_001);
    expect(await ask(two)).toEqual({ kind: 'admitted' });
  });

  it('takes the place of a session that has ended away, and holds no other key', async () => {
    const limits = { ...OPEN_LIMITS, requestsPerMinute: 1 };
    const keyHash = 'ended';
    const [first, ended, third] = (await sessions(3)) as [string, string, string];
    const ask = (id: string, key = keyHash) => store.modelCalls.admit(id, aCall({ keyHash: key }), limits);
    await ask(first);
    await ask(ended);
    await store.log.append(ended, [], { patch: { closed: true } });
    const answer = await ask(third);
    expect(answer.kind === 'held' && answer.waitMs).toBeLessThanOrEqual(60_000);
    expect(await ask(third, 'another')).toEqual({ kind: 'admitted' });
  });
});

describe('the breaker of a model', () => {
  async function fail(id: string, keyHash: string, from: Store = store, verdict: 'outage' | 'answered' = 'outage') {
    const call = aCall({ keyHash });
    const answer = await from.modelCalls.admit(id, call, OPEN_LIMITS);
    if (answer.kind === 'admitted')
      await from.modelCalls.settle(id, itsEnd(call, { outcome: 'unavailable', verdict }), OPEN_LIMITS);
    return answer;
  }

  it('opens after so many outages in a window, for all processes, and lets one of many try again', async () => {
    const keyHash = 'breaker';
    const ids = await sessions(10);
    expect(await fail(ids[0]!, keyHash)).toEqual({ kind: 'admitted' });
    expect(await fail(ids[1]!, keyHash, other)).toEqual({ kind: 'admitted' });
    expect(await fail(ids[2]!, keyHash)).toEqual({ kind: 'admitted' });
    const answer = await fail(ids[3]!, keyHash, other);
    expect(answer).toEqual({ kind: 'open', failures: 3, waitMs: expect.any(Number) });
    expect(answer.kind === 'open' && answer.waitMs).toBeGreaterThan(0);
    expect(answer.kind === 'open' && answer.waitMs).toBeLessThanOrEqual(30_000);
    // Another model of the same key is another matter.
    const elsewhere = aCall({ keyHash, model: 'vertexai/gemini-2.5-pro' });
    expect(await store.modelCalls.admit(ids[4]!, elsewhere, OPEN_LIMITS)).toEqual({ kind: 'admitted' });

    await timePasses(keyHash, 30_001);
    const probes = ids.map((id) => ({ id, call: aCall({ keyHash }) }));
    const answers = await Promise.all(
      probes.map(({ id, call }, n) => (n % 2 === 0 ? store : other).modelCalls.admit(id, call, OPEN_LIMITS)),
    );
    expect(kindsOf(answers)).toEqual({ admitted: 1, open: 9 });
    const { id, call } = probes[answers.findIndex(({ kind }) => kind === 'admitted')]!;
    await other.modelCalls.settle(id, itsEnd(call, { outcome: 'cut', verdict: 'outage' }), OPEN_LIMITS);
    expect(await fail(ids[0]!, keyHash)).toMatchObject({ kind: 'open', failures: 4 });

    await timePasses(keyHash, 30_001);
    expect(await fail(ids[0]!, keyHash, store, 'answered')).toEqual({ kind: 'admitted' });
    expect(kindsOf(await Promise.all(ids.map((each) => fail(each, keyHash, other, 'answered'))))).toEqual({
      admitted: 10,
    });
  });

  it('is not opened by outages that lie far apart, nor by what is no outage', async () => {
    const [id] = (await sessions(1)) as [string];
    for (let n = 0; n < 4; n += 1) {
      expect(await fail(id, 'apart')).toEqual({ kind: 'admitted' });
      await timePasses('apart', 60_001);
    }
    for (let n = 0; n < 4; n += 1) {
      expect(await fail(id, 'between')).toEqual({ kind: 'admitted' });
      expect(await fail(id, 'between', store, 'answered')).toEqual({ kind: 'admitted' });
    }
  });

  it('lets another call probe when the probing one was cancelled, or its worker died', async () => {
    const [id] = (await sessions(1)) as [string];
    for (let n = 0; n < 3; n += 1) await fail(id, 'probe');
    await timePasses('probe', 30_001);
    const probe = aCall({ keyHash: 'probe' });
    expect(await store.modelCalls.admit(id, probe, OPEN_LIMITS)).toEqual({ kind: 'admitted' });
    expect(await fail(id, 'probe')).toMatchObject({ kind: 'open' });
    await store.modelCalls.settle(id, itsEnd(probe, { outcome: 'aborted', verdict: 'nothing' }), OPEN_LIMITS);
    expect(await store.modelCalls.admit(id, aCall({ keyHash: 'probe' }), OPEN_LIMITS)).toEqual({ kind: 'admitted' });
    expect(await fail(id, 'probe')).toMatchObject({ kind: 'open' });
    await timePasses('probe', 60_001);
    expect(await fail(id, 'probe')).toEqual({ kind: 'admitted' });
  });
});

describe('the budget of a session', () => {
  const withBudget = (budget: object): Promise<string> =>
    aSession(store, { plan: aPlan({ steps: ['Open the shop'], config: { budget } }) });

  it('is exceeded by one call at most, however many calls two processes request at once', async () => {
    const id = await withBudget({ maxTokens: 10_000 });
    const calls = Array.from({ length: 20 }, () => aCall());
    const answers = await Promise.all(
      calls.map((call, n) => (n % 2 === 0 ? store : other).modelCalls.admit(id, call, OPEN_LIMITS)),
    );
    // Each may come to 5,000: with two under way all of it may be used up.
    expect(kindsOf(answers)).toEqual({ admitted: 2, budget: 18 });
    expect(answers.find(({ kind }) => kind === 'budget')).toMatchObject({ used: { maxTokens: 10_000 } });
    const admitted = calls.filter((_, n) => answers[n]!.kind === 'admitted');
    for (const call of admitted)
      await store.modelCalls.settle(id, itsEnd(call, { inputTokens: 1000, outputTokens: 500 }), OPEN_LIMITS);
    expect(await store.modelCalls.admit(id, aCall(), OPEN_LIMITS)).toEqual({ kind: 'admitted' });
  });

  it('in money is exact, and what was raised holds from the next call on', async () => {
    const id = await withBudget({ maxCost: '0.000600' });
    const call = aCall({ reservedCost: '0' });
    await store.modelCalls.admit(id, call, OPEN_LIMITS);
    const settled = await store.modelCalls.settle(id, itsEnd(call, { cost: '0.0006' }), OPEN_LIMITS);
    expect(settled).toEqual({
      used: { maxTokens: 1280, maxCost: '0.0006' },
      budget: { maxCost: '0.000600', whenReached: 'pause' },
    });
    expect(await store.modelCalls.admit(id, aCall(), OPEN_LIMITS)).toMatchObject({
      kind: 'budget',
      used: { maxCost: '0.0006' },
    });
    await store.log.append(id, [], { patch: { budget: { maxCost: '0.0006001', whenReached: 'pause' } } });
    expect(await store.modelCalls.admit(id, aCall(), OPEN_LIMITS)).toEqual({ kind: 'admitted' });
    expect((await store.sessions.get(id))?.budget).toEqual({ maxCost: '0.0006001', whenReached: 'pause' });
  });

  it('in money admits no call of a model without a known price', async () => {
    const id = await withBudget({ maxCost: '1' });
    const unpriced = aCall({ cost: undefined, priceTable: undefined, reservedCost: undefined });
    expect(await store.modelCalls.admit(id, unpriced, OPEN_LIMITS)).toEqual({ kind: 'unpriced' });
    expect(await store.modelCalls.usageOf(id)).toEqual([]);
  });

  it('counts a call whose worker died by what was sent, once, and its next attempt by what it came to', async () => {
    const id = await withBudget({ maxTokens: 6000 });
    const lost = aCall({ requestedBy: 'a' });
    expect(await store.modelCalls.admit(id, lost, OPEN_LIMITS)).toEqual({ kind: 'admitted' });
    const next = aCall({ requestedBy: 'a', attempt: 2 });
    // While the first may still be written, it counts with the most it can come to; its successor knows that it is dead.
    expect(await store.modelCalls.admit(id, aCall({ inputTokens: 1500 }), OPEN_LIMITS)).toEqual({ kind: 'admitted' });
    expect(await store.modelCalls.admit(id, aCall(), OPEN_LIMITS)).toMatchObject({ kind: 'budget' });
    await sql`delete from model_calls where session_id = ${id} and input_tokens = 1500`;
    expect(await store.modelCalls.admit(id, next, OPEN_LIMITS)).toEqual({ kind: 'admitted' });
    await store.modelCalls.settle(id, itsEnd(next), OPEN_LIMITS);
    const { used } = await store.modelCalls.settle(id, itsEnd(next), OPEN_LIMITS);
    expect(used).toEqual({ maxTokens: 1000 + 1280, maxCost: '0.00086' });
    expect(await store.modelCalls.usageOf(id)).toMatchObject([{ calls: 2, totalTokens: 2280, isEstimated: true }]);
    // It was not dead after all: what it came to takes the place of what was counted for it.
    expect((await store.modelCalls.settle(id, itsEnd(lost), OPEN_LIMITS)).used).toMatchObject({ maxTokens: 2560 });
  });
});
