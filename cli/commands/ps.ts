import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { JSON_OPTION } from '../input/options';
import { dataFolder } from '../stack/data-folder';
import { shortPath } from '../render/links';
import { toTable } from '../terminal/table';
import { createTerminal } from '../terminal/terminal';
import { asCalled } from '../terminal/as-called';

export const ps: CliCommand = {
  name: 'ps',
  summary: 'list the processes of the local stack',
  description:
    'Lists the processes of the stack of this folder (SUREFOOT_HOME, .surefoot by default). Exit code 2: nothing ' +
    'runs here.',
  examples: [
    ['surefoot ps', 'a table'],
    [
      'kill -9 $(surefoot ps --json | jq \'.[] | select(.name=="browser-1").pid\')',
      'end a worker in the middle of a session',
    ],
  ],
  define: (command, end) =>
    command
      .option(...JSON_OPTION)
      .action(async (options: { json?: true }) => end(await listThem(options.json === true))),
};

async function listThem(isJson: boolean): Promise<number> {
  const { listProcesses } = await import('../stack/supervisor/run-files.js');
  const terminal = createTerminal();
  const home = dataFolder();
  const rows = listProcesses(home);
  if (isJson) terminal.printJson(rows, 2);
  if (!rows.some((row) => row.alive)) {
    const left =
      rows.length === 0 ? '' : ` The listed processes are from a stack that was killed; the next start removes them.`;
    throw new CliError(`Nothing runs in ${shortPath(home)}. Start a local stack with ${asCalled('dev')}.${left}`);
  }
  if (isJson) return 0;
  const [header = '', ...lines] = toTable(
    ['NAME', 'PID', 'PORT', 'RESTARTS', 'ADDRESS'],
    rows.map((row) => [
      row.name,
      row.alive ? String(row.pid) : `${row.pid} (ended)`,
      row.port === undefined ? '-' : String(row.port),
      String(row.restarts),
      row.address ?? '-',
    ]),
  );
  terminal.print(header, 'strong');
  for (const line of lines) terminal.print(line);
  return 0;
}
