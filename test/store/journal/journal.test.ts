import { randomBytes } from 'node:crypto';
import { anObservedCommand } from '../../support/evidence';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { WaitingFor } from '../../../contracts/approvals/waiting-for';
import type { Outcome } from '../../../store/journal/journal';
import { StoreRefusal } from '../../../store/database/refusals';
import type { Store } from '../../../store/store';
import { aRecord } from '../../support/builders';
import { anIntent, RUN_ID, useStoreSession } from '../../support/store-session';

const { COMMAND_STARTED, COMMAND_COMPLETED, VARIABLE_UPDATED } = StreamEventType;
const runId = RUN_ID;
let store: Store;
let sessionId: string;
useStoreSession((ready) => ({ store, sessionId } = ready), { isActive: false });

function anOutcome(commandId: string, change: Partial<Outcome> = {}): Outcome {
  const response = { success: true, commandId, screenshotId: 's1', duration: 12 };
  return {
    commandId,
    status: 'done',
    response,
    evidence: anObservedCommand({ urlAfter: '/thanks' }),
    domId: 'd1',
    ...change,
  };
}

const started = (id: string) => aRecord(`${id}/started`, { type: COMMAND_STARTED });
const completed = (id: string) => aRecord(`${id}/completed`, { type: COMMAND_COMPLETED });
const logged = async () => (await store.log.read(sessionId, 0, 100)).map((record) => record.eventId);

function refusal(reason: string): unknown {
  return expect.objectContaining({ name: StoreRefusal.name, reason });
}

test('an intent and its event, an outcome and its events are written together', async () => {
  await store.journal.intend(sessionId, { runId, epoch: 0 }, anIntent('c1', { target: { role: 'button' } }), [
    started('c1'),
  ]);
  expect(await store.journal.find(sessionId, ['c1', 'c2'])).toMatchObject([
    { commandId: 'c1', status: 'intended', attempts: 1, effect: 'commit', target: { role: 'button' } },
  ]);
  expect(await logged()).toEqual(['c1/started']);

  const variable = { name: 'total', value: '12', source: 'extracted', stepIndex: 0 } as const;
  const records = [completed('c1'), aRecord('c1/variable', { type: VARIABLE_UPDATED })];
  await store.journal.finish(sessionId, { runId }, anOutcome('c1'), records, variable);
  expect(await store.journal.ofSession(sessionId)).toMatchObject([
    { commandId: 'c1', status: 'done', response: { success: true }, evidence: { urlAfter: '/thanks' }, domId: 'd1' },
  ]);
  expect(await store.variables.ofSession(sessionId)).toMatchObject([
    { name: 'total', value: '12', previousValue: null, source: 'extracted', stepIndex: 0 },
  ]);
  expect(await logged()).toEqual(['c1/started', 'c1/completed', 'c1/variable']);
});

test('a variable remembers the value it had before, and its VARIABLE_UPDATED has it', async () => {
  for (const value of ['12', '15']) {
    await store.journal.intend(sessionId, {}, anIntent(value), []);
    const variable = { name: 'total', value, source: 'extracted', stepIndex: 0 } as const;
    const timestamp = new Date(0);
    const updated = { ...variable, timestamp, sessionId };
    const record = aRecord(`${value}/variable`, { type: VARIABLE_UPDATED, data: { variable: updated } });
    await store.journal.finish(sessionId, {}, anOutcome(value), [completed(value), record], variable);
  }
  const events = await store.log.read(sessionId, 0, 100);
  const saved = events.flatMap(({ data }) => data.variable ?? []);
  expect(saved.map(({ value, previousValue }) => [value, previousValue])).toEqual([
    ['12', undefined],
    ['15', '12'],
  ]);
  expect(await store.variables.ofSession(sessionId)).toMatchObject([{ value: '15', previousValue: '12' }]);
});

test('an outcome and the intent of the next command are one commit, in that order', async () => {
  await store.journal.intend(sessionId, { runId }, anIntent('c1'), [started('c1')]);
  const next = { intent: anIntent('c2', { position: 1 }), records: [started('c2')] };
  expect(await store.journal.advance(sessionId, { runId }, anOutcome('c1'), [completed('c1')], undefined, next)).toBe(
    true,
  );
  expect(await store.journal.ofSession(sessionId)).toMatchObject([
    { commandId: 'c1', status: 'done' },
    { commandId: 'c2', status: 'intended', attempts: 1 },
  ]);
  expect(await logged()).toEqual(['c1/started', 'c1/completed', 'c2/started']);
});

test('a paused session takes the outcome and refuses the intent that comes with it', async () => {
  await store.journal.intend(sessionId, { runId }, anIntent('c1'), [started('c1')]);
  await store.log.append(sessionId, [], { guard: { runId }, patch: { paused: true } });
  const next = { intent: anIntent('c2', { position: 1 }), records: [started('c2')] };
  expect(await store.journal.advance(sessionId, { runId }, anOutcome('c1'), [completed('c1')], undefined, next)).toBe(
    false,
  );
  expect(await store.journal.ofSession(sessionId)).toMatchObject([{ commandId: 'c1', status: 'done' }]);
  expect(await logged()).toEqual(['c1/started', 'c1/completed']);
});

test('a writer with an old epoch advances nothing', async () => {
  await store.journal.intend(sessionId, { runId }, anIntent('c1'), [started('c1')]);
  const next = { intent: anIntent('c2', { position: 1 }), records: [started('c2')] };
  await expect(
    store.journal.advance(sessionId, { runId, epoch: -1 }, anOutcome('c1'), [completed('c1')], undefined, next),
  ).rejects.toEqual(refusal('stale-epoch'));
  expect(await store.journal.ofSession(sessionId)).toMatchObject([{ commandId: 'c1', status: 'intended' }]);
});

test('a repeated attempt counts, and reports its start and its end once', async () => {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await store.journal.intend(sessionId, { runId }, anIntent('c1'), [started('c1')]);
    expect(await store.journal.find(sessionId, ['c1'])).toMatchObject([{ status: 'intended', attempts: attempt }]);
    await store.journal.finish(sessionId, { runId }, anOutcome('c1'), [completed('c1')]);
  }
  expect(await logged()).toEqual(['c1/started', 'c1/completed']);
});

test('no intent is accepted while the session is paused, and one is again after it is resumed', async () => {
  await store.log.append(sessionId, [], { patch: { paused: true } });
  await expect(store.journal.intend(sessionId, { runId }, anIntent('c1'), [started('c1')])).rejects.toEqual(
    refusal('paused'),
  );
  expect(await store.journal.ofSession(sessionId)).toEqual([]);
  expect(await logged()).toEqual([]);
  await store.log.append(sessionId, [], { patch: { paused: false } });
  await store.journal.intend(sessionId, { runId }, anIntent('c1'), [started('c1')]);
});

test('a command that is under way may still write its outcome after a pause', async () => {
  await store.journal.intend(sessionId, { runId }, anIntent('c1'), []);
  await store.log.append(sessionId, [], { patch: { paused: true } });
  await store.journal.finish(sessionId, { runId }, anOutcome('c1'), [completed('c1')]);
  expect(await store.journal.find(sessionId, ['c1'])).toMatchObject([{ status: 'done' }]);
});

test('a worker that lost the browser writes neither intents nor outcomes', async () => {
  const { epoch } = await store.leases.acquire(sessionId, { runId }, 'host', 'worker-1');
  await store.journal.intend(sessionId, { runId, epoch }, anIntent('c1'), []);
  await store.leases.acquire(sessionId, { runId }, 'host', 'worker-2');
  const stale = { runId, epoch };
  await expect(store.journal.intend(sessionId, stale, anIntent('c2'), [started('c2')])).rejects.toEqual(
    refusal('stale-epoch'),
  );
  await expect(store.journal.finish(sessionId, stale, anOutcome('c1'), [completed('c1')])).rejects.toEqual(
    refusal('stale-epoch'),
  );
  expect(await store.journal.ofSession(sessionId)).toMatchObject([
    { commandId: 'c1', status: 'intended', attempts: 1 },
  ]);
  expect(await logged()).toEqual([]);
});

test('a session that has ended starts no command, and one of another run neither', async () => {
  await expect(store.journal.intend(sessionId, { runId: 'run-2' }, anIntent('c1'), [])).rejects.toEqual(
    refusal('superseded'),
  );
  await store.log.append(sessionId, [], { patch: { closed: true } });
  await expect(store.journal.intend(sessionId, { runId }, anIntent('c1'), [])).rejects.toEqual(refusal('closed'));
});

test('an outcome whose event can not be written is not written either', async () => {
  await store.journal.intend(sessionId, { runId }, anIntent('c1'), []);
  await store.log.append(sessionId, [], { patch: { closed: true } });
  await expect(store.journal.finish(sessionId, { runId }, anOutcome('c1'), [completed('c1')])).rejects.toEqual(
    refusal('closed'),
  );
  expect(await store.journal.find(sessionId, ['c1'])).toMatchObject([{ status: 'intended' }]);
});

test('[S1.R12] the executor may not report a command', async () => {
  const record = aRecord('c1/started', { type: COMMAND_STARTED, owner: 'executor' });
  await expect(store.journal.intend(sessionId, {}, anIntent('c1'), [record])).rejects.toThrow(/not by executor/);
  expect(await store.journal.ofSession(sessionId)).toEqual([]);
});

test('the commands of a step are listed in the order of its replies', async () => {
  const places = [
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 0],
    [0, 0, 1],
  ] as const;
  for (const [stepIndex, turn, position] of places) {
    await store.journal.intend(
      sessionId,
      {},
      anIntent(`${stepIndex}.${turn}.${position}`, { stepIndex, turn, position }),
      [],
    );
  }
  const ids = async (entries: Promise<{ commandId: string }[]>) => (await entries).map(({ commandId }) => commandId);
  expect(await ids(store.journal.ofStep(sessionId, 0))).toEqual(['0.0.0', '0.0.1', '0.1.0']);
  expect(await ids(store.journal.ofSession(sessionId))).toEqual(['0.0.0', '0.0.1', '0.1.0', '1.1.0']);
  expect(await store.journal.find(sessionId, [])).toEqual([]);
});

test('the calls of one turn, each a batch of its own, are listed in the order they were made', async () => {
  const ids = ['0.0.9', '0.0.a', '0.0.10', '0.0.1', '0.0.b', '0.0.2'];
  // Rows as large as these move to another page of the table when their outcome is written.
  for (const id of ids) {
    const text = randomBytes(900).toString('base64');
    await store.journal.intend(sessionId, {}, anIntent(id, { parameters: { selector: text } }), []);
  }
  for (const id of ids.toReversed()) await store.journal.finish(sessionId, {}, anOutcome(id), []);
  expect((await store.journal.ofSession(sessionId)).map(({ commandId }) => commandId)).toEqual(ids);
});

describe('a commit of unknown outcome', () => {
  const at = '2026-01-02T03:04:05.000Z';
  const asked: WaitingFor = {
    pausedFor: 'unknown-outcome',
    unknown: { commandId: 'c1', action: 'CLICK_ELEMENT', what: '#buy', urlBefore: '/', urlAfter: '/', requests: [] },
  };
  beforeEach(async () => {
    await store.journal.intend(sessionId, {}, anIntent('c1'), [started('c1')]);
    await store.journal.finish(sessionId, {}, anOutcome('c1', { status: 'unknown' }), []);
  });
  const resolved = async () => (await store.journal.find(sessionId, ['c1']))[0];

  test('stays unknown when it is resolved, and says by whom; the question leaves the row with that', async () => {
    await store.log.append(sessionId, [aRecord('paused')], { guard: { runId }, patch: { waitingFor: asked } });
    expect((await store.sessions.get(sessionId))?.waitingFor).toEqual(asked);
    const resolutions = [{ commandId: 'c1', by: 'person', happened: false, at } as const];
    await store.log.append(sessionId, [aRecord('resumed')], {
      guard: { runId },
      patch: { waitingFor: null },
      resolutions,
    });
    expect((await store.sessions.get(sessionId))?.waitingFor).toBeNull();
    expect(await resolved()).toMatchObject({ status: 'unknown', resolution: { by: 'person', happened: false, at } });
    expect(await logged()).toEqual(['c1/started', 'paused', 'resumed']);
  });

  test('a person overrules the model, and nobody overrules the person', async () => {
    for (const [by, happened] of [
      ['model', true],
      ['model', false],
      ['person', false],
      ['model', true],
      ['person', true],
    ] as const) {
      await store.log.append(sessionId, [], { resolutions: [{ commandId: 'c1', by, happened, at }] });
    }
    expect(await resolved()).toMatchObject({ resolution: { by: 'person', happened: false } });
  });

  test('of a run that does not own the session nothing is written, neither record nor resolution', async () => {
    const resolutions = [{ commandId: 'c1', by: 'person', happened: true, at } as const];
    const patch = { waitingFor: asked };
    await expect(
      store.log.append(sessionId, [aRecord('resumed')], { guard: { runId: 'reset' }, patch, resolutions }),
    ).rejects.toEqual(refusal('superseded'));
    expect(await resolved()).not.toHaveProperty('resolution');
    expect((await store.sessions.get(sessionId))?.waitingFor).toBeNull();
    expect(await logged()).toEqual(['c1/started']);
  });

  test('a session that has ended waits for nobody', async () => {
    await store.log.append(sessionId, [], { patch: { waitingFor: asked } });
    await store.log.append(sessionId, [], { patch: { closed: true } });
    expect((await store.sessions.get(sessionId))?.waitingFor).toBeNull();
  });
});
