import { evaluate } from '../../../bench/soak/evaluate';
import type { Sample } from '../../../bench/soak/sample';

const MB = 1024 * 1024;
const WARM_UP = 20;

interface Figures {
  ownMb: number;
  count: number;
  handles: number;
  folders: number;
  logsKb: number;
}

/** A run of 200 sessions whose figures are those of a stack in good order, but for what is given. */
function aRun(of: (sessions: number) => Partial<Figures> = () => ({})): Sample[] {
  return Array.from({ length: 21 }, (_, index) => {
    const sessions = index * 10;
    const figures: Figures = { ownMb: 100, count: 1, handles: 40, folders: 8, logsKb: sessions * 2, ...of(sessions) };
    const { ownMb, count, handles } = figures;
    const keeper = { count, handles, ownBytes: ownMb * MB, rssBytes: (ownMb + 50) * MB, processorSeconds: 0 };
    return {
      sessions,
      atMs: sessions * 1000,
      processes: { keeper },
      folders: figures.folders,
      bytes: { logs: figures.logsKb * 1024 },
    };
  });
}

function broken(samples: Sample[]): string[] {
  return evaluate(samples, WARM_UP).flatMap(({ what, isBroken }) => (isBroken ? [what] : []));
}

test('a stack whose memory varies and whose logs grow with each session keeps every rule', () => {
  expect(broken(aRun((sessions) => ({ ownMb: 100 + (sessions % 50) })))).toEqual([]);
});

test('a leak of each session breaks the rule, even under the variation of a heap', () => {
  expect(broken(aRun((sessions) => ({ ownMb: 100 + sessions / 5 + (sessions % 50) })))).toEqual(['keeper: memory']);
});

test('a cache that fills up to its bound breaks no rule', () => {
  expect(broken(aRun((sessions) => ({ ownMb: 100 + 40 * (1 - Math.exp(-sessions / 30)) })))).toEqual([]);
});

test('memory is reported but not checked after too few sessions', () => {
  const memory = evaluate(aRun((sessions) => ({ ownMb: 100 + sessions })).slice(0, 5), WARM_UP).find(
    ({ what }) => what === 'keeper: memory',
  );
  expect(memory).toMatchObject({ afterWarmUp: 120, slopePer100: expect.closeTo(100), isBroken: false });
});

test.each<[string, (sessions: number) => Partial<Figures>]>([
  ['keeper: processes', (sessions) => ({ count: 1 + sessions / 10 })],
  ['keeper: open handles', (sessions) => ({ handles: 40 + sessions / 2 })],
  ['temporary folders', (sessions) => ({ folders: 8 + sessions / 10 })],
  ['bytes in logs', (sessions) => ({ logsKb: sessions ** 2 })],
])('growth with the number of sessions is reported: %s', (what, of) => {
  expect(broken(aRun(of))).toEqual([what]);
});
