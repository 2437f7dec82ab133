import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { signalNow } from '../chaos/faults/signal-now';
import { processesOf } from '../harness/home-processes';
import type { Harness } from '../harness/harness';
import { RUN_LIMIT_MS, type Ran, type System } from './system';

/** Where a program has failed or was killed it is started again, at most so often in all. */
const MOST_STARTS = 20;
/** All that a model was sent and has said, which a program prints. */
const TextsSchema = z.array(z.string());

/**
 * A program that places one order and ends, and is started again from the beginning until it ends well. A kill hits all that the
 * program itself started, but not its Chromium, which ends by itself.
 */
export function supervised(
  { shop, chromium }: Pick<Harness, 'shop' | 'chromium'>,
  { name, script, scratch, args = [] }: { name: string; script: string; scratch: string; args?: string[] },
  countTokens?: (text: string) => number,
): System {
  // By this folder its processes are found.
  const temporary = mkdtempSync(join(scratch, `${name}-`));
  let driver: ChildProcess | undefined;
  const end = (): void => {
    if (driver?.pid !== undefined) signalNow(-driver.pid, 'SIGKILL');
  };
  process.once('exit', end);

  async function start(run: string): Promise<{ code: unknown; output: string }> {
    driver = spawn(process.execPath, [join(__dirname, script), shop, run, chromium, ...args], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
      // A group of its own, to be killed whole.
      detached: true,
    });
    const [[code], output] = await Promise.all([once(driver, 'exit'), text(driver.stdout!)]);
    driver = undefined;
    return { code, output };
  }

  async function order(run: string): Promise<Ran> {
    const limit = Date.now() + RUN_LIMIT_MS;
    for (let starts = 0; starts < MOST_STARTS; starts += 1) {
      if (Date.now() > limit) return { end: 'never' };
      const { code, output } = await start(run);
      if (code !== 0) continue;
      if (countTokens === undefined) return { end: 'well' };
      const tokens = TextsSchema.parse(JSON.parse(output)).map(countTokens);
      return { end: 'well', tokens: tokens.reduce((sum, each) => sum + each, 0) };
    }
    return { end: 'failed' };
  }

  return {
    name,
    isOurs: false,
    order,
    findVictim: () => Promise.resolve(driver?.pid === undefined ? undefined : -driver.pid),
    processes: () => processesOf(temporary).map(({ pid }) => pid),
  };
}
