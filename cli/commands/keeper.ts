import type { CliCommand } from '../context/define-command';
import { runInForeground } from '../stack/foreground';

export const keeper: CliCommand = {
  name: 'keeper',
  summary: 'run the keeper of the browsers in the foreground',
  description:
    'Runs the keeper in the foreground until Ctrl-C: the one process of a host that starts Chromes. ' +
    'SUREFOOT_HOST_ID names the host.',
  examples: [['SUREFOOT_HOST_ID=blue surefoot keeper', 'the keeper of the host "blue"']],
  define: (command, end) =>
    command.action(async () => end(await runInForeground([{ name: 'The keeper', script: 'worker/keeper/main.js' }]))),
};
