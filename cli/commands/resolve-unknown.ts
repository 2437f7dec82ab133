import { Option } from 'commander';
import { defineMessageCommand } from './message-command';

interface Options {
  happened: 'yes' | 'no';
}

export const resolveUnknown = defineMessageCommand<'resolveUnknown', Options, [commandId: string]>('resolveUnknown', {
  examples: [['surefoot resolve-unknown 3f2a 3f2a….7.0.2 --happened no', 'it did not: run it again']],
  extend: (command) =>
    command
      .argument('<command>', 'id of the command, as `surefoot show` prints it')
      .addOption(
        new Option('--happened <answer>', 'whether it took effect').choices(['yes', 'no']).makeOptionMandatory(),
      ),
  read: ({ happened }, commandId) => ({ commandId, happened: happened === 'yes' }),
});
