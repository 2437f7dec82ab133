import { createInterface } from 'node:readline';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { DEFAULT_TENANT, parseStart } from '../../contracts/sessions/start-request';

import type { CliCommand } from '../context/define-command';
import { CliError, EXIT, type ExitCode } from '../context/exit';
import { toIssueLines } from '../context/failure';
import { withServices, type Services } from '../context/services';
import { EXIT_OF_END } from '../follow/exit-of-end';
import { followSession } from '../follow/follow-session';
import { isUpHere } from '../stack/is-up-here';
import { hasDisplay } from '../terminal/has-display';
import { asCalled } from '../terminal/as-called';
import { listenForInterrupt } from '../terminal/interrupt';
import { createTerminal } from '../terminal/terminal';

interface LoginOptions {
  tenant?: string;
  headed?: boolean;
}

/** A person who has begun to sign in may have to look for a second factor. */
const IDLE_LIMIT_MS = 1_800_000;

export const loginProfile: CliCommand = {
  name: 'login',
  summary: 'let a person sign in once, for all sessions after it',
  description:
    'Opens a page in a session that stays open. Sign in there: in the window of its browser, or on the page of the session, by taking it over. Enter here, or `surefoot close`, ends the session, which writes the profile. Ctrl-C cancels it, and the profile stays as it was.',
  examples: [
    ['surefoot profiles login acme-admin https://acme.example/login', 'in a window, where this machine has a display'],
    ['surefoot profiles login acme-admin https://acme.example/login --no-headed', 'on the page of the session'],
  ],
  define: (command, end) =>
    command
      .argument('<name>', 'the name of the profile')
      .argument('<url>', 'the page to begin on')
      .option('--tenant <name>', 'whose profile it is')
      .option('--headed', 'show the window of the browser')
      .option('--no-headed', 'show no window')
      .action(async (name: string, url: string, options: LoginOptions) => end(await login(name, url, options))),
};

async function login(
  name: string,
  url: string,
  { tenant = DEFAULT_TENANT, ...options }: LoginOptions,
): Promise<ExitCode> {
  const isHeaded = options.headed ?? (hasDisplay() && (await isUpHere()));
  const parsed = parseStart({
    name: `Sign in: ${name}`.slice(0, 120),
    steps: [`Open ${url}`],
    profile: name,
    tenant,
    config: {
      agent: { stayOpen: true, idleTimeoutMs: IDLE_LIMIT_MS },
      executorConfig: { headless: !isHeaded },
      // The page to begin on may ask to sign in: that is what it is opened for.
      outcomes: { signInPages: 'ignore' },
    },
  });
  if (parsed.kind === 'invalid') throw new CliError('The session was not started:', toIssueLines(parsed.issues));
  const interrupt = listenForInterrupt();
  const terminal = createTerminal();
  return await withServices('acting', async (services) => {
    const { sessions, store } = services;
    const { sessionId } = await sessions.startParsed(parsed, {});
    const enter = createInterface({ input: process.stdin });
    const onRecord = ({ type, data }: LogRecord): void => {
      if (type !== StreamEventType.SESSION_STATUS || data.details?.['waitingFor'] !== 'message') return;
      terminal.print(
        `${placeOf(services, sessionId, isHeaded)} Then press Enter here, or run ${asCalled(`close ${sessionId}`)}.`,
        'strong',
      );
      enter.once(
        'line',
        () => void sessions.close(sessionId).catch((error: Error) => terminal.printError(error.message, 'bad')),
      );
    };
    try {
      const how = { after: 0, totalSteps: 1, isDetailed: false, interrupt: interrupt.signal, onRecord };
      const ended = await followSession(sessions, sessionId, terminal, how);
      if (ended === 'interrupted') await sessions.cancel(sessionId);
      if (ended !== 'completed') return EXIT_OF_END[ended];
      const version = (await store.profiles.get({ tenant, name }))?.version;
      terminal.print(`The profile ${name} is saved as version ${version}.`, 'good');
      return EXIT.done;
    } finally {
      enter.close();
    }
  }).finally(() => interrupt.end());
}

/** Where a person signs in. */
function placeOf({ settings: { stack } }: Services, sessionId: string, isHeaded: boolean): string {
  if (isHeaded) return 'Sign in in the window of the browser.';
  const page =
    stack?.api === undefined ? `the page of the API, /sessions/${sessionId}` : `${stack.api}/sessions/${sessionId}`;
  return `Sign in on ${page}: take the browser over there, and hand it back when you have signed in.`;
}
