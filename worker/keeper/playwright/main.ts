import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import playwright from 'playwright';
import { errorMessage } from '../../../contracts/errors/error-message';
import { killGroup } from '../../../runtime/process-group';
import { launchOptions, LaunchSchema } from './launch';

/** The channel of a Firefox of the system. */
const FIREFOX = 'moz-firefox';

/**
 * The process beside the keeper that launches one browser by Playwright and serves it at an address of this machine that
 * nobody guesses. It ends with its browser, and ends it when its keeper closes the pipe to it, or dies.
 */
async function serve(): Promise<void> {
  const [line] = (await once(createInterface(process.stdin), 'line')) as [string];
  const launch = LaunchSchema.parse(JSON.parse(line));
  const ended = once(process.stdin, 'close');
  const server = await playwright[launch.browserType].launchServer({
    ...launchOptions(launch),
    ...(launch.channel === FIREFOX ? { executablePath: firefoxScript(launch.executablePath) } : {}),
    host: '127.0.0.1',
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const { pid } = server.process();
  server.on('close', () => {
    // A Firefox does not end with the process that relays to it.
    if (pid !== undefined) killGroup(pid);
    process.exit(0);
  });
  void ended.then(async () => {
    await server.kill();
    process.exit(0);
  });
  answer({ endpoint: server.wsEndpoint(), pid });
}

/** Playwright runs one file. */
function firefoxScript(program: string): string {
  const script = join(tmpdir(), 'firefox');
  const quoted = [process.execPath, join(__dirname, 'firefox-main.js'), program].map(
    (each) => `'${each.replaceAll("'", `'\\''`)}'`,
  );
  writeFileSync(script, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o700 });
  return script;
}

/** What Playwright says, and what the browser has said last. */
function reasonOf(message: string): string {
  const [first = '', ...more] = message.split('\n').map((line) => line.trim());
  return [first, ...more.filter((line) => line.includes('[err]')).slice(-3)].join(' | ').slice(0, 1000);
}

function answer(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

serve().catch((error: unknown) => {
  // A server's error is of another class than a client's, by the same name.
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  answer({ error: reasonOf(errorMessage(error)), isLate });
  process.exitCode = 1;
  process.stdin.destroy();
});
