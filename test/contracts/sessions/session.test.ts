import fc from 'fast-check';
import { isOpen, SessionStatus, STATUS_TRANSITIONS, statusChange } from '../../../contracts/sessions/session';

const LEGAL = `
  INITIALIZING -> ACTIVE FAILED CANCELLED CLEANUP
  ACTIVE       -> PAUSED COMPLETED FAILED CANCELLED CLEANUP
  PAUSED       -> ACTIVE FAILED CANCELLED CLEANUP
  COMPLETED    -> CLEANUP
  FAILED       -> CLEANUP
  CANCELLED    -> CLEANUP
  CLEANUP      ->`;
const ROWS = LEGAL.trim()
  .split('\n')
  .map((line): [string, string[]] => {
    const [from, to] = line.split('->');
    return [from!.trim(), to!.trim().split(' ').filter(Boolean)];
  });
const statuses = fc.constantFrom(...Object.values(SessionStatus));

test.each(ROWS)('[S1.A1] %s may become %j, itself without a change, and nothing else', (from, legal) => {
  const changes = Object.values(SessionStatus).map((to) => statusChange(from as SessionStatus, to));
  expect(changes).toEqual(
    Object.values(SessionStatus).map((to) => (to === from ? 'same' : legal.includes(to) ? 'legal' : 'illegal')),
  );
});

test('a session is open until it is completed, failed, cancelled or cleaned up: a paused one too', () => {
  expect(Object.values(SessionStatus).filter(isOpen)).toEqual(['INITIALIZING', 'ACTIVE', 'PAUSED']);
});

test('[S1.A1] whatever is asked for, in any order, a session ends once, and CLEANUP is the last of it', () => {
  fc.assert(
    fc.property(fc.array(statuses, { maxLength: 40 }), (asked) => {
      const walked = [SessionStatus.INITIALIZING];
      for (const to of asked) if (statusChange(walked.at(-1)!, to) === 'legal') walked.push(to);
      const ends = walked.filter((status) => !isOpen(status) && status !== SessionStatus.CLEANUP);
      expect(ends.length).toBeLessThanOrEqual(1);
      expect(walked.slice(0, -1)).not.toContain(SessionStatus.CLEANUP);
      // Nothing opens again, and nothing but an active session completes or pauses.
      expect(walked.map(isOpen)).toEqual(walked.map(isOpen).sort((a, b) => Number(b) - Number(a)));
      const before = walked.filter((_, index) =>
        [SessionStatus.COMPLETED, SessionStatus.PAUSED].includes(walked[index + 1]!),
      );
      expect(new Set(before)).toEqual(new Set(before.length === 0 ? [] : [SessionStatus.ACTIVE]));
    }),
  );
});

test('[S1.A1] every status has a way to CLEANUP', () => {
  const ways = Object.entries(STATUS_TRANSITIONS).filter(([from]) => from !== 'CLEANUP');
  for (const [, to] of ways) expect(to).toContain(SessionStatus.CLEANUP);
});
