import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { oneLineOf } from '../context/failure';
import { findSession } from '../context/find-session';
import { SESSION_ARGUMENT } from '../input/options';
import { shortPath } from '../render/links';
import { withServices } from '../context/services';
import { createTerminal } from '../terminal/terminal';

export const report: CliCommand = {
  name: 'report',
  summary: 'write a page about a session that can be shared',
  description:
    'Writes one HTML file with all that is known of a session. It is below 5 MB, needs no network and shows no ' +
    'secrets.',
  examples: [
    ['surefoot report 3f2a', 'writes surefoot-3f2a….html'],
    ['surefoot report 3f2a --out failure.html', 'into a file of your choice'],
    ['surefoot report 3f2a --out - | less', 'to standard output'],
  ],
  define: (command, end) =>
    command
      .argument(...SESSION_ARGUMENT)
      .option('--out <file>', 'the file to write; - is standard output')
      .action(async (id: string, options: { out?: string }) => end(await writeReport(id, options))),
};

async function writeReport(id: string, { out }: { out?: string }): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, id);
    const page = await sessions.report(sessionId);
    const terminal = createTerminal();
    if (out === '-') {
      terminal.printFile(page);
      return 0;
    }
    const path = resolve(out ?? `surefoot-${sessionId}.html`);
    try {
      await writeFile(path, page);
    } catch (error) {
      throw new CliError(`The report could not be written to ${path}: ${oneLineOf(error)}.`);
    }
    terminal.print(shortPath(path));
    return 0;
  });
}
