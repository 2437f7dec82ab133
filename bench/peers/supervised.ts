import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signalNow } from '../chaos/faults/signal-now';
import { processesOf } from '../harness/home-processes';
import type { Harness } from '../harness/harness';
import { ConversationSchema, conversationTokens } from './conversation';
import { RUN_LIMIT_MS, type Ran, type System } from './system';

/** Where a program has failed or was killed it is started again, at most so often in all. */
const MOST_STARTS = 20;

/**
 * A program that places one order and ends, and is started again from the beginning until it ends well. A kill hits all that the
 * program itself started, but not its Chromium, which ends by itself.
 */
export function supervised(
  { shop, chromium }: Pick<Harness, 'shop' | 'chromium'>,
  { name, script, scratch }: { name: string; script: string; scratch: string },
  countTokens?: (text: string) => number,
): System {
  // By this folder its processes are found.
  const temporary = join(scratch, name);
  mkdirSync(temporary);
  let driver: ChildProcess | undefined;
  const end = (): void => {
    if (driver?.pid !== undefined) signalNow(-driver.pid, 'SIGKILL');
  };
  process.once('exit', end);

  async function start(run: string): Promise<{ code: unknown; output: string }> {
    driver = spawn(process.execPath, [join(__dirname, script), shop, run, chromium], {
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
      return { end: 'well', tokens: conversationTokens(ConversationSchema.parse(JSON.parse(output)), countTokens) };
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
