import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRemains } from '../chaos/verify/leftovers';
import { openHarness, SHOP_PASSWORD } from '../harness/harness';
import { openHeaps } from './heaps';
import { readOptions, type SoakOptions } from './options';
import { printFindings, sampleLine } from './report';
import { takeSample, type Sample, type SamplePlace } from './sample';
import { runSessions } from './sessions';
import { evaluate, type Finding } from './evaluate';

const SAMPLES = 20;
const LEAST_WARM_UP = 20;
const LEAST_BETWEEN = 5;
/** Idle connections close within this time. */
const BACK_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 5000;

/** Runs many short sessions on one stack; resolves to false when its usage grows with their number. */
export async function measureSoak(args: string[]): Promise<boolean> {
  const options = readOptions(args);
  const temporary = mkdtempSync(join(tmpdir(), 'surefoot-soak-'));
  // The database server runs as another user when this process runs as root.
  chmodSync(temporary, 0o777);
  const heaps = openHeaps();
  const harness = await openHarness({ TMPDIR: temporary, SHOP_PASSWORD, ...heaps.env });
  try {
    const { samples, failures, findings } = await soak({ harness, heaps, temporary }, options);
    const left: string[] = [];
    await harness.stop(() => left.push(...findRemains(harness.home)));
    const broken = findings.filter(({ isBroken }) => isBroken);
    printFindings(`Soak: ${options.sessions} sessions, ${options.concurrent} at a time`, findings);
    for (const each of left) console.log(`left after the stop: ${each}`);
    const isGood = failures.length + broken.length + left.length === 0;
    console.log(
      isGood
        ? `\nAll ${options.sessions} sessions completed and every rule was kept.`
        : `\n${failures.length} sessions not completed, ${broken.length} rules broken, ${left.length} things left.`,
    );
    if (options.json !== undefined)
      writeFileSync(options.json, `${JSON.stringify({ options, isGood, failures, left, findings, samples })}\n`);
    return isGood;
  } finally {
    await harness.stop();
    heaps.remove();
    rmSync(temporary, { recursive: true, force: true });
  }
}

interface Soaked {
  samples: Sample[];
  failures: string[];
  findings: Finding[];
}

async function soak(place: SamplePlace, { sessions, concurrent }: SoakOptions): Promise<Soaked> {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const failures: string[] = [];
  const sampleAt = async (count: number): Promise<Sample> => {
    const sample = await takeSample(place, count, performance.now() - startedAt);
    console.log(sampleLine(sample));
    return sample;
  };
  const between = Math.max(LEAST_BETWEEN, Math.floor(sessions / SAMPLES));
  const warmUp = Math.ceil(Math.max(LEAST_WARM_UP, sessions / 10) / between) * between;
  samples.push(await sampleAt(0));
  for (let done = 0; done < sessions;) {
    const next = Math.min(between, sessions - done);
    const failed = await runSessions(place.harness, next, concurrent);
    failures.push(...failed);
    for (const failure of failed) console.log(`  not completed: ${failure}`);
    done += next;
    samples.push(await sampleAt(done));
  }
  const end = performance.now() + BACK_WITHIN_MS;
  let findings = evaluate(samples, warmUp);
  while (findings.some(({ isBroken }) => isBroken) && performance.now() < end) {
    await sleep(LOOK_EVERY_MS);
    samples[samples.length - 1] = await sampleAt(sessions);
    findings = evaluate(samples, warmUp);
  }
  return { samples, failures, findings };
}
