import { createInterface } from 'node:readline';
import { hasDisplay } from '../terminal/has-display';
import type { Terminal } from '../terminal/terminal';

interface Offer {
  terminal: Terminal;
  /** Ends the offer. */
  signal: AbortSignal;
  input?: NodeJS.ReadStream;
}

/** In a terminal of a desktop, Enter opens the page until the signal aborts; elsewhere nothing is said. */
export function offerPage(page: string | undefined, { terminal, signal, input = process.stdin }: Offer): void {
  if (page === undefined || !terminal.isLive || !input.isTTY || !hasDisplay()) return;
  terminal.print('Press Enter to open the page in your browser.');
  const lines = createInterface({ input, signal });
  // What waits for a key alone does not keep a command from ending.
  input.unref();
  lines.on('line', () => {
    openInBrowser(page).catch(({ message }: Error) =>
      terminal.printError(`The browser could not be started (${message}). Open ${page} yourself.`),
    );
  });
}

async function openInBrowser(page: string): Promise<void> {
  const { default: open } = await import('open');
  const child = await open(page);
  // A desktop without a browser says so by the end of the command alone.
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 || code === null ? resolve() : reject(new Error(`exit code ${code}`))));
  });
}
