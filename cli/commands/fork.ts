import { ForkRequestSchema, type ForkRequest } from '../../contracts/sessions/fork-request';
import { issuesOf } from '../../contracts/errors/issues';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { toIssueLines } from '../context/failure';
import { findSession } from '../context/find-session';
import { JSON_OPTION, collectPair, SESSION_ARGUMENT, toPositiveCount } from '../input/options';
import { readSecrets, type SecretOption } from '../input/secret-options';
import { addSecretOptions, ENV_FILE_OPTION } from '../input/request-options';
import { readStepFile } from '../input/step-input';
import { sendOnce } from '../context/receipt';
import { withServices } from '../context/services';
import { asCalled } from '../terminal/as-called';
import { createTerminal } from '../terminal/terminal';

interface Options {
  fromStep: number;
  steps?: string;
  set: readonly [name: string, value: string][];
  secret?: readonly SecretOption[];
  totp?: readonly SecretOption[];
  envFile?: string;
  json?: true;
}

export const fork: CliCommand = {
  name: 'fork',
  summary: 'start a session from a step of another one',
  description:
    'Starts a session that begins with a step of another one, in the state that its browser had before that step. ' +
    'Variables are those of the other session; secrets are given again.',
  examples: [
    ['surefoot fork 3f2a --from-step 8', 'the steps from the eighth on'],
    ['surefoot fork 3f2a --from-step 5 --set size=L', 'with another value'],
    [
      'surefoot fork 3f2a --from-step 5 --steps order.txt',
      'with the words that order.txt has for the fifth step and those after it',
    ],
  ],
  define: (command, end) =>
    addSecretOptions(command)
      .argument(...SESSION_ARGUMENT)
      .requiredOption('--from-step <n>', 'the first step of the new session, counted from 1', toPositiveCount)
      .option('--steps <file>', 'what runs from there on, as for run --file')
      .option('--set <name=value>', 'a variable that differs; may be repeated', collectPair, [])
      .option(...ENV_FILE_OPTION)
      .option(...JSON_OPTION)
      .action(async (id: string, options: Options) => end(await forkAndPrint(id, options))),
};

async function forkAndPrint(id: string, options: Options): Promise<number> {
  const request = await requestOf(options);
  return await withServices('acting', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, id);
    const forked = await sendOnce((keyed) => sessions.fork(sessionId, request, keyed));
    const terminal = createTerminal();
    if (options.json === true) return (terminal.printJson(forked), 0);
    // Only the id goes to standard output, so that a script can store it.
    terminal.print(forked.sessionId);
    terminal.printError(`It runs in the background; ${asCalled(`watch ${forked.sessionId}`)} follows it.`);
    return 0;
  });
}

async function requestOf({ fromStep, steps, set, secret = [], totp = [], envFile }: Options): Promise<ForkRequest> {
  const secrets = readSecrets([...secret, ...totp], envFile);
  const given = {
    fromStep,
    ...(steps === undefined ? {} : { steps: await stepsFrom(steps, fromStep) }),
    ...(set.length === 0 ? {} : { variables: Object.fromEntries(set) }),
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
  };
  const parsed = ForkRequestSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CliError('The session was not forked:', toIssueLines(issuesOf(parsed.error)));
}

/** The steps of a file from one on. */
async function stepsFrom(file: string, fromStep: number): Promise<unknown> {
  const { steps } = await readStepFile(file);
  if (!Array.isArray(steps) || steps.length >= fromStep)
    return Array.isArray(steps) ? steps.slice(fromStep - 1) : steps;
  throw new CliError(
    `${file} has ${steps.length} steps, and the new session begins with step ${fromStep}. Give the file with all steps of the session.`,
  );
}
