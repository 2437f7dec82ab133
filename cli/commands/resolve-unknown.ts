import { Option } from 'commander';
import { defineSessionCommand } from './session-command';
import { asCalled } from '../terminal/as-called';

export const resolveUnknown = defineSessionCommand<{ happened: 'yes' | 'no' }, [commandId: string]>({
  name: 'resolve-unknown',
  summary: 'say whether a command of unknown outcome happened',
  description:
    'Answers a session that waits because nobody knows whether a click or key press took effect. Look for its effect ' +
    'first (`surefoot show` prints what is known): with yes the session goes on from the page as it is, with no the ' +
    'command runs again.',
  examples: [['surefoot resolve-unknown 3f2a 3f2a….7.0.2 --happened no', 'it did not: run it again']],
  extend: (command) =>
    command
      .argument('<command>', 'id of the command, as `surefoot show` prints it')
      .addOption(
        new Option('--happened <answer>', 'whether it took effect').choices(['yes', 'no']).makeOptionMandatory(),
      ),
  prepare:
    ({ happened }, commandId) =>
    async (sessions, sessionId, options) => {
      const accepted = await sessions.resolveUnknown(sessionId, { commandId, happened: happened === 'yes' }, options);
      const next = happened === 'yes' ? 'goes on from the page as it is' : 'runs the command again';
      return { accepted, message: `Session ${sessionId} ${next}; ${asCalled(`watch ${sessionId}`)} follows it.` };
    },
});
