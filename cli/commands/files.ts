import type { SessionFile } from '../../contracts/files/file';
import { saveFile } from '../files/save-file';
import type { CliCommand } from '../context/define-command';
import { findSession } from '../context/find-session';
import { JSON_OPTION, SESSION_ARGUMENT } from '../input/options';
import { withServices } from '../context/services';
import { toTable } from '../terminal/table';
import { createTerminal } from '../terminal/terminal';

interface Options {
  out?: string;
  json?: true;
}

export const files: CliCommand = {
  name: 'files',
  summary: 'list the files of a session, or save them',
  description: 'Lists what a session has downloaded, and the Playwright traces of its failed steps, oldest first.',
  examples: [
    ['surefoot files 3f2a', 'a session by the beginning of its id'],
    ['surefoot files 3f2a --out downloads', 'save all of them into a folder'],
  ],
  define: (command, end) =>
    command
      .argument(...SESSION_ARGUMENT)
      .option('--out <folder>', 'save the files into this folder; a file with the same name is never overwritten')
      .option(...JSON_OPTION)
      .action(async (id: string, options: Options) => end(await listFiles(id, options))),
};

async function listFiles(id: string, { out, json }: Options): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const { sessionId } = await findSession(sessions, id);
    const found = await sessions.files(sessionId);
    const terminal = createTerminal();
    const saved: string[] = [];
    if (out !== undefined)
      for (const { fileId } of found) saved.push(await saveFile(await sessions.openFile(sessionId, fileId), out));
    if (json === true)
      terminal.printJson(
        found.map((file, at) => ({ ...file, savedAs: saved[at] })),
        2,
      );
    else if (found.length === 0) terminal.print(`Session ${sessionId} has no files.`);
    else for (const line of out === undefined ? toTable(HEADER, found.map(toRow)) : saved) terminal.print(line);
    return 0;
  });
}

const HEADER = ['FILE', 'NAME', 'BYTES', 'SOURCE', 'STEP', 'SHA-256'];

function toRow({ fileId, name, bytes, source, stepIndex, sha256 }: SessionFile): string[] {
  return [
    fileId,
    name,
    String(bytes),
    source,
    stepIndex === undefined ? '' : String(stepIndex + 1),
    sha256.slice(0, 12),
  ];
}
