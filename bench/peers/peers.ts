import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultProcesses } from '../../cli/stack/processes';
import { o200k } from '../characters/tokenizer';
import { startCharacterServer, type CharacterServer } from '../characters/server';
import { bundleNaive, naiveProcesses } from '../chaos/load/naive-load';
import { seededRandom } from '../chaos/random';
import { openHarness, SHOP_PASSWORD, type Harness } from '../harness/harness';
import { median } from '../harness/statistics';
import { NAIVE_BUNDLE_VARIABLE } from '../naive/queue';
import { underKills, type Tally } from './kills';
import { metered } from '../harness/meter';
import { readPeersOptions, type PeersOptions } from './options';
import { PLAIN_WORKER } from './plain-temporal';
import { printCosts, printKills, type Cost } from './report';
import type { System } from './system';
import { MODEL_MS, openSystems, systemNames } from './systems';

/**
 * Compares ways to place one order at one shop: what they cost, and what becomes of the orders where their driver is killed at
 * random moments. False where this engine doubles or loses an order.
 */
export async function measurePeers(args: string[]): Promise<boolean> {
  const options = readPeersOptions(args);
  if (options === undefined) return true;
  const names = systemNames(options.only);
  const scratch = mkdtempSync(join(tmpdir(), 'surefoot-peers-'));
  // Also at Ctrl-C, when the harness ends this process.
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  // The database server runs as another user when this process runs as root.
  chmodSync(scratch, 0o755);
  const countTokens = o200k();
  const server = await startCharacterServer(countTokens, { delayMs: MODEL_MS });
  try {
    const harness = await openStack(scratch, server);
    try {
      const systems = await openSystems(names, { harness, scratch, countTokens });
      return await compare(systems, harness.shop, options);
    } finally {
      await harness.stop();
    }
  } finally {
    await server.stop();
  }
}

async function openStack(scratch: string, server: CharacterServer): Promise<Harness> {
  // Drivers take it from here.
  process.env['SHOP_PASSWORD'] = SHOP_PASSWORD;
  const bundle = join(scratch, 'naive.js');
  await bundleNaive(bundle);
  const temporary = join(scratch, 'naive');
  mkdirSync(temporary);
  const plain = naiveProcesses(temporary).filter(({ name }) => name === PLAIN_WORKER);
  return await openHarness(
    { OPENAI_COMPATIBLE_BASE_URL: server.url, [NAIVE_BUNDLE_VARIABLE]: bundle },
    { processes: [...defaultProcesses(), ...plain] },
  );
}

async function compare(
  systems: readonly System[],
  shop: string,
  { times, kills, seed }: PeersOptions,
): Promise<boolean> {
  const measured = new Map<System, Cost[]>(systems.map((system) => [system, []]));
  // In turn, so that what else the machine does meets all.
  for (let time = 0; time < times; time += 1)
    for (const system of systems) {
      const cost = await measure(system);
      measured.get(system)!.push(cost);
      console.log(
        `  ${system.name}: ${Math.round(cost.wallMs)} ms, ${cost.processorSeconds.toFixed(1)} s of processor`,
      );
    }
  console.log(`\nOne order: medians of ${times} runs, load average ${loadavg()[0]!.toFixed(0)}`);
  printCosts(measured);
  if (kills === 0) return true;
  const tallies = new Map<System, Tally>();
  for (const system of systems) {
    const wallMs = median(measured.get(system)!.map((cost) => cost.wallMs));
    const tally = await underKills(system, shop, { kills, wallMs, random: seededRandom(seed) });
    tallies.set(system, tally);
    console.log(`  ${system.name}: ${JSON.stringify(tally)}`);
  }
  console.log(`\nkill -9 of the driver at random moments, seed ${seed}`);
  printKills(tallies);
  return [...tallies].every(([{ isOurs }, { doubled, lost }]) => !isOurs || doubled + lost === 0);
}

async function measure(system: System): Promise<Cost> {
  const startedAt = performance.now();
  const { result, processorSeconds } = await metered(system.processes, () => system.order(randomUUID()));
  if (result.end !== 'well') throw new Error(`${system.name} did not place its order, and nothing was killed.`);
  return { wallMs: performance.now() - startedAt, processorSeconds, tokens: result.tokens };
}
