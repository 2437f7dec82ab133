import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProcesses } from '../../cli/stack/processes';
import { bundleNaive, naiveProcesses } from '../chaos/load/naive-load';
import { findTargets } from '../chaos/faults/targets';
import { oneOf, seededRandom, type Random } from '../chaos/random';
import type { TargetKind } from '../chaos/faults/target-kinds';
import { openHarness, restClient, type Harness } from '../harness/harness';
import { printTable } from '../harness/statistics';
import { NAIVE_BUNDLE_VARIABLE } from '../naive/queue';
import { startBank, type Bank } from './bank';
import { readBatchOptions, type BatchOptions } from './options';
import { submitPlain, type PlainResults } from './plain';
import { makeList, type BatchList } from './rows';
import { batchInput, submit, SUBMISSIONS, type Submitted } from './submit';
import { plainTally, printOpen, tallyRow, tallyOf, type Tally } from './tally';
import { makeTrouble, type Victim } from './trouble';

const TARGETS: readonly TargetKind[] = [
  'engine',
  'worker',
  'keeper',
  'browser',
  'egress',
  'api',
  'temporal',
  'postgres',
];
/** Beyond what the rows take: kills, and looks at the site. */
const LIMIT_MS = { least: 600_000, ofRow: 20_000 };

interface Runs {
  options: BatchOptions;
  list: BatchList;
  random: Random;
  limitMs: number;
}

/**
 * A list of payments is submitted three times at once while processes are killed and a person pays some of the rows, and the bank
 * counts; then the same list on plain Playwright scripts as Temporal activities.
 */
export async function measureBatch(args: string[]): Promise<boolean> {
  const options = readBatchOptions(args);
  const { rows, kills, seed } = options;
  const random = seededRandom(seed);
  const runs: Runs = {
    options,
    random,
    list: makeList(rows, random),
    limitMs: LIMIT_MS.least + LIMIT_MS.ofRow * rows,
  };
  const scratch = mkdtempSync(join(tmpdir(), 'surefoot-batch-'));
  try {
    const bundle = join(scratch, 'naive.js');
    await bundleNaive(bundle);
    const harness = await openHarness(
      { [NAIVE_BUNDLE_VARIABLE]: bundle },
      { processes: [...defaultProcesses(), ...naiveProcesses(scratch)] },
    );
    try {
      const ours = await withBank((bank) => runBatches(harness, bank, runs));
      printTable(`Surefoot's half`, tallyRow(ours), { measured: 'Surefoot' });
      const plain = await withBank((bank) => runPlain(harness, bank, runs));
      printTable(
        `${rows} rows, submitted three times at once, ${kills} kills, seed ${seed}`,
        tallyRow(ours).map((row, nth) => ({ ...row, compared: tallyRow(plain)[nth]!.measured })),
        { measured: 'Surefoot', compared: 'plain scripts' },
      );
      return ours.isRight;
    } finally {
      await harness.stop();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function withBank<T>(work: (bank: Bank) => Promise<T>): Promise<T> {
  const bank = await startBank();
  try {
    return await work(bank);
  } finally {
    bank.stop();
  }
}

async function runBatches(harness: Harness, bank: Bank, { options, list, random, limitMs }: Runs): Promise<Tally> {
  const { kills, concurrency } = options;
  const over = new AbortController();
  const [one, other] = [restClient(harness.api), restClient(harness.api)];
  const startedAt = Date.now();
  const trouble = makeTrouble(harness, { bank, list, kills, random, over: over.signal }, () => {
    const kinds = TARGETS.filter((kind) => findTargets(harness, kind).length > 0);
    const kind = oneOf(random, kinds);
    return kind === undefined ? [] : findTargets(harness, kind).map(toVictim);
  });
  let submitted: Submitted[];
  try {
    submitted = await Promise.all(
      SUBMISSIONS.map((id) =>
        submit(id === 'other-caller' ? other : one, { ...batchInput(id, bank.url, list, concurrency), id }, limitMs),
      ),
    );
  } catch (error) {
    await printOpen(one);
    throw error;
  } finally {
    over.abort();
  }
  const tookMs = Date.now() - startedAt;
  return tallyOf({ bank, list, killed: await trouble, tookMs, submitted });
}

async function runPlain(harness: Harness, bank: Bank, { options, list, random, limitMs }: Runs): Promise<Tally> {
  const over = new AbortController();
  const startedAt = Date.now();
  const trouble = makeTrouble(harness, { bank, list, kills: options.kills, random, over: over.signal }, () =>
    harness.stack
      .processes()
      .filter(({ name, alive }) => alive && (name.startsWith('naive-') || name === 'temporal'))
      .map(({ name, pid }) => ({ name, pid, comesBack: true })),
  );
  let results: PlainResults[];
  try {
    results = await Promise.all(
      SUBMISSIONS.map(() => submitPlain(harness.temporal, bank.url, list, { ...options, limitMs })),
    );
  } finally {
    over.abort();
  }
  return plainTally({ bank, list, killed: await trouble, tookMs: Date.now() - startedAt, results: results[0]! });
}

function toVictim({ name, pid, sessionId }: { name: string; pid: number; sessionId?: string }): Victim {
  return { name, pid, comesBack: sessionId === undefined };
}
