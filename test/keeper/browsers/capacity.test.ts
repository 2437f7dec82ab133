import { availableParallelism } from 'node:os';
import { browserCapacity } from '../../../worker/keeper/browsers/capacity';
import { createReservations } from '../../../worker/keeper/browsers/reservations';
import type { LeaseState } from '../../../store/browsers/leases';
import { sweepBrowsersWithoutLease } from '../../../worker/keeper/end-browsers-without-lease';
import { isAlive, startTicksOf } from '../../../runtime/process-identity';
import { aRoot, cleanUp, keeperOver, later, silent, until } from '../fixture';

afterEach(cleanUp);

test('a host has the configured capacity, else what memory and cores allow, and at least one', () => {
  expect(browserCapacity(3, 50)).toBe(3);
  expect(browserCapacity(undefined, 0)).toBeGreaterThanOrEqual(1);
  expect(browserCapacity(undefined, 0)).toBeLessThanOrEqual(8 * availableParallelism());
  expect(browserCapacity(undefined, 1000)).toBe(Math.min(200, 8 * availableParallelism()));
});

test('capacity that one worker reserved is refused to another until it is released or used', () => {
  let used = 0;
  const room = createReservations({ capacity: 2, used: () => used });
  expect([room.reserve('one'), room.reserve('two'), room.reserve('three')]).toEqual([true, true, false]);
  expect(room.reserve('one')).toBe(true);
  expect([room.consume('three'), room.consume(undefined)]).toEqual([false, false]);
  expect(room.consume('one')).toBe(true);
  used = 1;
  expect([room.consume('one'), room.reserve('three')]).toEqual([false, false]);
  room.cancel('two');
  expect(room.reserve('three')).toBe(true);
});

test('while as many browsers start as may at once, free capacity is given to nobody else', async () => {
  let starting = 0;
  const room = createReservations({ capacity: 9, used: () => starting, starting: () => starting, startsAtOnce: 2 });
  expect([room.reserve('one'), room.reserve('two'), room.reserve('three')]).toEqual([true, true, false]);
  expect(room.consume('one')).toBe(true);
  starting = 1;
  expect(room.reserve('three')).toBe(false);
  const waiting = room.waitForReservation('three', { waitMs: 60_000 });
  starting = 0;
  room.notifyFreed();
  expect(await waiting).toBe(true);
});

test('a reservation that nobody renews expires', async () => {
  const room = createReservations({ capacity: 1, used: () => 0 });
  expect([room.reserve('of a frozen worker'), room.reserve('another')]).toEqual([true, false]);
  await until('it is free', () => room.reserve('another'));
  expect(room.reserve('of a frozen worker')).toBe(false);
});

test('waiting workers get free capacity at once and in order, and none after they left', async () => {
  let used = 1;
  const room = createReservations({ capacity: 1, used: () => used });
  const leaving = new AbortController();
  const waitMs = 60_000;
  const gone = room.waitForReservation('gone', { waitMs, signal: leaving.signal });
  const first = room.waitForReservation('first', { waitMs });
  const second = room.waitForReservation('second', { waitMs });
  expect(await room.waitForReservation('in a hurry', { waitMs: 1 })).toBe(false);
  leaving.abort();
  expect(await gone).toBe(false);
  used = 0;
  room.notifyFreed();
  expect(await first).toBe(true);
  // Nobody renews what the first one has.
  expect(await second).toBe(true);
  expect(room.consume('first')).toBe(false);
  expect(room.consume('second')).toBe(true);
});

test('a full keeper starts no further Chrome until one has ended', async () => {
  const browsers = await keeperOver(aRoot(), { capacity: 1, poolSize: 1 });
  const first = await browsers.open({ sessionId: 'first', epoch: 1, headless: true });
  await expect(browsers.open({ sessionId: 'second', epoch: 1, headless: true })).rejects.toMatchObject({
    status: 429,
    message: expect.stringContaining('SUREFOOT_MAX_BROWSERS'),
  });
  expect(await browsers.open({ sessionId: 'first', epoch: 2, headless: true })).toMatchObject({ pid: first.pid });
  const kept = browsers.reservations.waitForReservation('kept', { waitMs: 60_000 });
  await browsers.close('first');
  expect(await kept).toBe(true);
  await expect(browsers.open({ sessionId: 'third', epoch: 1, headless: true })).rejects.toMatchObject({ status: 429 });
  await browsers.open({ sessionId: 'second', epoch: 1, headless: true, reservation: 'kept' });
  expect(browsers.list()).toMatchObject([{ sessionId: 'second' }]);
});

test('a Chrome without a lease is ended, unless a newer epoch came meanwhile or the database forgot it', async () => {
  const browsers = await keeperOver(aRoot());
  const access = await Promise.all(
    ['leased', 'stray', 'back', 'forgotten'].map((sessionId) => browsers.open({ sessionId, epoch: 1, headless: true })),
  );
  const [leased, stray, back, forgotten] = access.map(({ pid }) => ({ pid, startTicks: startTicksOf(pid)! }));
  const hunt = sweepBrowsersWithoutLease({
    hostId: 'here',
    browsers,
    logger: silent,
    registry: {
      async leaseStates() {
        const states = new Map<string, LeaseState>([
          ['leased', 'leased'],
          ['stray', 'given-up'],
          ['back', 'given-up'],
          ['forgotten', 'forgotten'],
        ]);
        // Taken again between the look at the leases and the end of the Chrome.
        if (browsers.list().some(({ sessionId, epoch }) => sessionId === 'back' && epoch === 1)) {
          await browsers.openRelay({ sessionId: 'back', epoch: 2 });
          return states;
        }
        return states.set('back', 'leased');
      },
    },
  });
  later(() => hunt.stop());
  await until('the stray is ended', () => !isAlive(stray!));
  expect([leased!, back!, forgotten!].map(isAlive)).toEqual([true, true, true]);
});
