import { Option, type Command } from 'commander';
import type { Ending } from '../exit';
import { runInForeground, type ForegroundProcess } from '../foreground';
import { withExamples } from '../options';

const ROLES = {
  engine: { name: 'The engine worker', script: 'worker/engine-main.js' },
  browser: { name: 'The browser worker', script: 'worker/browser-main.js' },
} as const satisfies Record<string, ForegroundProcess>;

export function addWorker(program: Command, end: Ending): void {
  const command = program
    .command('worker')
    .summary('run a worker in the foreground')
    .description(
      'Runs workers in the foreground until Ctrl-C: an engine worker (workflows, model calls, events) and a browser worker ' +
        '(drives the Chromes that the keeper of this host holds), or one of them. DATABASE_URL and TEMPORAL_ADDRESS say ' +
        'where they belong; those of the local stack are taken when they are not set.',
    )
    .addOption(new Option('--role <role>', 'only this one').choices(Object.keys(ROLES)))
    .action(async (options: { role?: keyof typeof ROLES }) => {
      end(await runInForeground(options.role === undefined ? Object.values(ROLES) : [ROLES[options.role]]));
    });
  withExamples(command, [
    ['surefoot worker', 'one of each'],
    ['surefoot worker --role browser', 'one more for the sessions of this host'],
  ]);
}
