import type { Usage } from './processes';
import type { Sample } from './sample';

/** One measured value over the run, and whether it kept its rule. */
export interface Finding {
  what: string;
  unit: 'MB' | '';
  atStart: number;
  afterWarmUp: number;
  atEnd: number;
  slopePer100: number;
  /** Without a rule the value is reported but not checked. */
  rule?: string;
  isBroken: boolean;
}

const MB = 1024 * 1024;
/** Every sample sees another Chrome of the pool, of another age. */
const NEW_EACH_TIME = 'chrome';

/** Connection pools and their backends vary within bounds that do not grow with the number of sessions. */
const RETURNED_LIMITS = {
  processes: (start: number) => start + 2 + Math.ceil(start / 10),
  handles: (start: number) => start + 8 + Math.ceil(start / 10),
  folders: (start: number) => start,
  bytes: (start: number) => start + 8 * MB,
};
const RISE_MB = 6;
/** Their caches have bounds that some hundred sessions do not reach. */
const SERVERS = ['temporal', 'postgres'];
const RISE_OF_SERVER_MB = 40;
const SLOWING_GROWTH = 0.5;
/** With fewer sessions a cache that fills up can't be distinguished from a leak. */
const LEAST_BETWEEN_LOWS = 25;
/** Databases grow by pages and files, not by rows. */
const BYTES_LEEWAY = 2 * MB;
const STEADY = 1.3;
/** What a session keeps until its retention ends. */
const KEPT_UNTIL_RETENTION = ['artifacts', 'logs', 'database', 'temporal.db'];

/** Checks that nothing grows with the number of sessions after the warm-up, in which caches and pools fill. */
export function evaluate(samples: readonly Sample[], warmUp: number): Finding[] {
  const last = samples.at(-1)!;
  return [
    ...Object.entries(last.processes).flatMap(([kind, usage]) => findingsOfKind(samples, warmUp, kind, usage)),
    checkReturned('temporary folders', samples, warmUp, 'folders', (sample) => sample.folders),
    ...Object.keys(last.bytes).map((part) => {
      const of = (sample: Sample): number => sample.bytes[part] ?? 0;
      return KEPT_UNTIL_RETENTION.includes(part)
        ? checkKept(part, samples, warmUp, of)
        : checkReturned(`bytes in ${part}`, samples, warmUp, 'bytes', of);
    }),
  ];
}

function findingsOfKind(samples: readonly Sample[], warmUp: number, kind: string, last: Usage): Finding[] {
  const of = (field: keyof Usage) => (sample: Sample) => sample.processes[kind]?.[field] ?? 0;
  const processes = checkReturned(`${kind}: processes`, samples, warmUp, 'processes', of('count'));
  if (kind === NEW_EACH_TIME) return [processes];
  return [
    processes,
    checkReturned(`${kind}: open handles`, samples, warmUp, 'handles', of('handles')),
    checkMemory(
      `${kind}: memory`,
      samples,
      warmUp,
      of('ownBytes'),
      SERVERS.includes(kind) ? RISE_OF_SERVER_MB : RISE_MB,
    ),
    ...(last.heapBytes === undefined ? [] : [checkMemory(`${kind}: heap`, samples, warmUp, of('heapBytes'), RISE_MB)]),
  ];
}

function checkReturned(
  what: string,
  samples: readonly Sample[],
  warmUp: number,
  rule: keyof typeof RETURNED_LIMITS,
  of: (sample: Sample) => number,
): Finding {
  const most = RETURNED_LIMITS[rule](Math.max(...samples.filter(({ sessions }) => sessions <= warmUp).map(of)));
  const unit = rule === 'bytes' ? 'MB' : '';
  const limit = unit === 'MB' ? `${(most / MB).toFixed(1)} MB` : String(most);
  return {
    ...figures(what, unit, samples, warmUp, of),
    rule: `at most ${limit} at the end`,
    isBroken: of(samples.at(-1)!) > most,
  };
}

/** Compares the minimum of each third: a heap varies between collections, but a leak raises its minimum too. */
function checkMemory(
  what: string,
  samples: readonly Sample[],
  warmUp: number,
  of: (sample: Sample) => number,
  riseMb: number,
): Finding {
  const values = figures(what, 'MB', samples, warmUp, of);
  const thirds = parts(samples, warmUp, 3);
  const between =
    growth(
      samples.filter(({ sessions }) => sessions >= warmUp),
      ({ sessions }) => sessions,
    ) / 3;
  if (between < LEAST_BETWEEN_LOWS) return { ...values, rule: 'not checked: too few sessions', isBroken: false };
  const [first, second, third] = thirds.map((part) => Math.min(...part.map(of)) / MB);
  const [before, after] = [second! - first!, third! - second!].map((rise) => (100 * rise) / between);
  return {
    ...values,
    rule: `lowest of the last third up by at most ${riseMb} MB per 100, or by less than half as much as before (${before!.toFixed(1)}, ${after!.toFixed(1)})`,
    isBroken: after! > riseMb && after! > SLOWING_GROWTH * before!,
  };
}

function checkKept(part: string, samples: readonly Sample[], warmUp: number, of: (sample: Sample) => number): Finding {
  const [first, second] = parts(samples, warmUp, 2) as [Sample[], Sample[]];
  const each = (half: readonly Sample[]): number =>
    growth(half, of) /
    Math.max(
      1,
      growth(half, ({ sessions }) => sessions),
    );
  const [before, after] = [each(first), each(second)];
  const leeway =
    BYTES_LEEWAY /
    Math.max(
      1,
      growth(second, ({ sessions }) => sessions),
    );
  return {
    ...figures(`bytes in ${part}`, 'MB', samples, warmUp, of),
    rule: `a session of the last half no more than one of the first (${kilobytes(before)}, ${kilobytes(after)})`,
    isBroken: after > STEADY * before + leeway,
  };
}

function figures(
  what: string,
  unit: Finding['unit'],
  samples: readonly Sample[],
  warmUp: number,
  of: (sample: Sample) => number,
): Omit<Finding, 'isBroken'> {
  const scale = unit === 'MB' ? MB : 1;
  const checked = samples.filter(({ sessions }) => sessions >= warmUp);
  return {
    what,
    unit,
    atStart: of(samples[0]!) / scale,
    afterWarmUp: of(checked[0]!) / scale,
    atEnd: of(samples.at(-1)!) / scale,
    slopePer100: slopePer100(checked, of) / scale,
  };
}

/** Splits the samples after the warm-up into parts; a sample on the border belongs to both. */
function parts(samples: readonly Sample[], warmUp: number, count: number): Sample[][] {
  const checked = samples.filter(({ sessions }) => sessions >= warmUp);
  const border = (index: number): number => Math.round((index * (checked.length - 1)) / count);
  return Array.from({ length: count }, (_, index) => checked.slice(border(index), border(index + 1) + 1));
}

function growth(samples: readonly Sample[], of: (sample: Sample) => number): number {
  return of(samples.at(-1)!) - of(samples[0]!);
}

/** Slope of the least-squares line through the samples, per 100 sessions. */
function slopePer100(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ sessions }) => sessions)), mean(samples.map(of))];
  const spread = samples.reduce((sum, { sessions }) => sum + (sessions - x) ** 2, 0);
  return spread === 0
    ? 0
    : (100 * samples.reduce((sum, sample) => sum + (sample.sessions - x) * (of(sample) - y), 0)) / spread;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
