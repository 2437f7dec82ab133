import { hostname } from 'node:os';
import { Option } from 'commander';
import type { CliCommand } from '../context/define-command';
import { runInForeground, type ForegroundProcess } from '../stack/foreground';
import { SETTINGS } from '../../runtime/settings/definitions';

const engine: ForegroundProcess = { name: 'The engine worker', script: 'worker/engine-main.js' };
const browser: ForegroundProcess = { name: 'The browser worker', script: 'worker/browser-main.js' };
const keeper: ForegroundProcess = { name: 'The keeper', script: 'worker/keeper/main.js', endsLast: true };

const ROLES: Record<string, () => ForegroundProcess[]> = {
  engine: () => [engine],
  browser: () => [browser],
  // Two browser workers, so that one can take over from the other. The container's name identifies the host.
  host: () => [keeper, browser, browser].map((each) => ({ ...each, env: { [SETTINGS.hostId.env]: hostId() } })),
};

function hostId(): string {
  return process.env[SETTINGS.hostId.env] ?? hostname().replaceAll(/[^\w.-]/g, '-');
}

export const worker: CliCommand = {
  name: 'worker',
  summary: 'run a worker in the foreground',
  description:
    'Runs workers in the foreground until Ctrl-C: an engine worker (workflows, model calls, events) and a browser ' +
    'worker (the Chromes of this host), one of them, or a browser host (a keeper and two browser workers).',
  examples: [
    ['surefoot worker', 'one of each'],
    ['surefoot worker --role browser', 'one more for the sessions of this host'],
    ['surefoot worker --role host', 'a browser host of its own, with its keeper'],
  ],
  define: (command, end) =>
    command
      .addOption(new Option('--role <role>', 'only this one').choices(Object.keys(ROLES)))
      .action(async ({ role }: { role?: string }) => {
        end(await runInForeground(role === undefined ? [engine, browser] : ROLES[role]!()));
      }),
};
