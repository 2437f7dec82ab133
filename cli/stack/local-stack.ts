import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from './start-stack';
import { PRIVATE } from '../../runtime/private-folder';
import { readSettings, type Settings } from '../../runtime/settings/settings';
import { localTemporalEnv } from '../../runtime/settings/temporal';
import { EXIT, type ExitCode } from '../context/exit';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { modelSettings } from '../doctor/reachable-models';
import { dataFolder } from './data-folder';
import { listenForInterrupt, type Interrupt } from '../terminal/interrupt';
import { createStackReporter } from './stack-reporter';
import { programName } from '../terminal/as-called';
import { createTerminal, type Terminal } from '../terminal/terminal';

/** The demo's password; the workers read it from their environment, so it is in no request and no log. */
const DEMO_PASSWORD = 'lovelace';

export interface RunningStack {
  settings: Settings;
  addresses: Stack['addresses'];
  terminal: Terminal;
  interrupt: Interrupt;
}

export interface StackOptions {
  port?: number | undefined;
  /** The model of sessions that name none; `auto` is the first that can be reached. */
  model?: string | undefined;
  /** How long a call of it may take, in milliseconds. */
  modelTimeout?: number | undefined;
  /** Its context window in tokens, where a server of one's own has it. */
  contextWindow?: number | undefined;
}

/** Starts the local stack, runs the work and stops the stack, however the work ends; resolves to the exit code. */
export async function withLocalStack(
  { port, model, modelTimeout, contextWindow }: StackOptions,
  work: (stack: RunningStack) => Promise<ExitCode>,
  terminal: Terminal = createTerminal(),
): Promise<ExitCode> {
  const reporter = createStackReporter(terminal);
  const interrupt = listenForInterrupt(() =>
    terminal.printError('Still stopping. Ctrl-C once more ends this process now; the next start removes what is left.'),
  );
  const { startStack } = await import('./start-stack.js');
  const home = dataFolder();
  process.umask(PRIVATE.umask);
  const chosen = model === undefined ? {} : await modelSettings(model, process.env);
  if (model !== undefined)
    reporter.step(`The model is ${chosen['SUREFOOT_MODEL'] ?? readSetting(SETTINGS.model, process.env)}`);
  const env = {
    ...process.env,
    ...chosen,
    ...(modelTimeout === undefined ? {} : { [SETTINGS.modelTimeoutMs.env]: String(modelTimeout / 1000) }),
    ...(contextWindow === undefined ? {} : { [SETTINGS.contextWindow.env]: String(contextWindow) }),
    SHOP_PASSWORD: process.env['SHOP_PASSWORD'] || DEMO_PASSWORD,
    ...(port === undefined ? {} : { PORT: String(port) }),
  };
  let stack: Stack | undefined;
  try {
    stack = await startStack({ home, reporter, env, encryptsPayloads: true, signal: interrupt.signal });
    const { databaseUrl, temporalAddress, temporalUi } = stack.addresses;
    const ofTemporal = temporalUi === undefined ? env : localTemporalEnv(env, temporalAddress);
    const stackEnv = { ...ofTemporal, SUREFOOT_HOME: home, DATABASE_URL: databaseUrl };
    const working = work({ settings: readSettings(stackEnv), addresses: stack.addresses, terminal, interrupt });
    const failing = stack.failed.then((error) => {
      throw error;
    });
    return await Promise.race([working, failing]);
  } catch (error) {
    if (stack === undefined && interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    if (stack !== undefined) {
      reporter.progress('stopping every process of the stack');
      await stack.stop();
      reporter.step('Everything is stopped; the data stays for the next start');
    }
    reporter.end();
    interrupt.end();
  }
}

/** Built by guide.js; a clone may have none. */
const GUIDE = join(__dirname, '..', '..', 'guide', 'index.html');

/** Lists the pages that an API has for people. */
export function apiPairs(api: string | undefined): [name: string, where: string][] {
  if (api === undefined) return [];
  return [
    ...(existsSync(GUIDE) ? ([['guide', `${api}/guide`]] as [string, string][]) : []),
    ['API docs', `${api}/docs`],
  ];
}

/** Lists the addresses of a stack for people. */
export function addressPairs({ api, page, shop, temporalUi }: Stack['addresses']): [name: string, where: string][] {
  return [
    ...(page === undefined ? [] : ([['page', page]] as [string, string][])),
    ...apiPairs(api),
    ...(temporalUi === undefined ? [] : ([['Temporal UI', temporalUi]] as [string, string][])),
    ...(shop === undefined ? [] : ([['shop', shop]] as [string, string][])),
  ];
}

/** The first command of README, on this stack: its shop may have another port than the usual one. */
export function commandToTry(shop: string): string {
  return `${programName()} run 'Open ${shop}/parts/counter' 'Click "Add one"' 'Save the Count as count'`;
}

/** Prints what can be done now; the stack stays up. */
export function printWhatNext(terminal: Terminal, { shop }: Stack['addresses']): void {
  if (shop !== undefined) terminal.printBlock([`Try in another terminal: ${commandToTry(shop)}`]);
  terminal.print('The stack stays up; Ctrl-C stops all of it.');
}
