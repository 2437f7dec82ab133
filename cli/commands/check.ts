import { EXIT } from '../context/exit';
import { parseStart } from '../../contracts/sessions/start-request';
import type { StepCheck, StepChecks } from '../../contracts/steps/step-check';
import type { Sessions } from '../../service/port/port';
import type { CliCommand } from '../context/define-command';
import { sendOnce } from '../context/receipt';
import { withServices } from '../context/services';
import { JSON_OPTION, collectText } from '../input/options';
import { parseRequest, type RequestOptions } from '../input/request';
import { addSecretOptions, addVariableOptions, ENV_FILE_OPTION } from '../input/request-options';
import { createTerminal } from '../terminal/terminal';

interface Options extends RequestOptions {
  on?: string;
  json?: true;
}

export const check: CliCommand = {
  name: 'check',
  summary: 'read steps without running them',
  description:
    'Says of each step how it is understood, and with --on what it would do first on that page. Exits with 1 ' +
    'where a step is not understood, names an unknown variable, or finds nothing. Check steps of other pages on ' +
    'their own.',
  examples: [
    ['surefoot check steps.txt', 'what is understood'],
    ['surefoot check steps.txt --on http://127.0.0.1:4000/', 'and what it would press there'],
  ],
  define: (command, end) =>
    addSecretOptions(addVariableOptions(command))
      .argument('<file>', 'the steps, as for run --file; - is standard input')
      .option('--on <url>', 'a page that is opened, and nothing else is done there')
      .option(...ENV_FILE_OPTION)
      .option('--model <model>', 'the model that leads the steps', collectText)
      .option(...JSON_OPTION)
      .action(async (file: string, options: Options) => end(await checkFile(file, options))),
};

async function checkFile(file: string, options: Options): Promise<number> {
  const parsed = await parseRequest([], { ...options, file });
  return await withServices(options.on === undefined ? 'reading' : 'acting', async ({ sessions }) => {
    const session = options.on === undefined ? undefined : await open(sessions, options.on);
    const checks = await sessions.check(parsed, session === undefined ? {} : { sessionId: session });
    const terminal = createTerminal();
    if (options.json === true) terminal.printJson(checks, 2);
    else for (const line of linesOf(checks)) terminal.print(line);
    return checks.isReady ? EXIT.done : EXIT.sessionFailed;
  });
}

/** Opens the page in a session of its own, and resolves to its id when it has ended. */
async function open(sessions: Sessions, url: string): Promise<string> {
  const { sessionId } = await sendOnce((keyed) => sessions.startParsed(parseStart({ steps: [`Open ${url}`] }), keyed));
  for await (const _ of sessions.follow(sessionId, 0, new AbortController().signal)) continue;
  return sessionId;
}

const MARK: Record<StepCheck['status'], string> = { ready: '✓', refused: '✗', 'not-here': '✗', model: '·' };

function linesOf({ url, steps }: StepChecks): string[] {
  return [
    ...(url === undefined ? [] : [`On ${url}:`]),
    ...steps.flatMap(({ stepIndex, instruction, status, parts, would = [], message }) => [
      `${MARK[status]} ${stepIndex + 1}. ${instruction}`,
      ...(parts.length > 1 ? parts.map((part) => `     ${part}`) : []),
      ...would.map((command) => `     would: ${command}`),
      ...(status === 'model' ? ['     a model leads it'] : []),
      ...(message === undefined ? [] : [`     ${message}`]),
    ]),
  ];
}
