import type { Command } from 'commander';
import type { Ending } from '../exit';
import { runInForeground } from '../stack/foreground';
import { withExamples } from '../input/options';

export function addKeeper(program: Command, end: Ending): void {
  const command = program
    .command('keeper')
    .summary('run the keeper of the browsers in the foreground')
    .description(
      'Runs the keeper in the foreground until Ctrl-C: the one process of a host that starts Chromes, watches them and lets ' +
        'workers in. SUREFOOT_HOST_ID names the host.',
    )
    .action(async () => end(await runInForeground([{ name: 'The keeper', script: 'keeper/main.js' }])));
  withExamples(command, [['SUREFOOT_HOST_ID=blue surefoot keeper', 'the keeper of the host "blue"']]);
}
