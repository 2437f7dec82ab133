import { InvalidArgumentError } from 'commander';
import type { CliCommand } from '../context/define-command';
import { SessionStatus, type WorkflowSession } from '../../contracts/sessions/session';
import { toAge } from '../terminal/duration';
import { JSON_OPTION, toPositiveCount } from '../input/options';
import { withStatus } from '../render/session-text';
import { withServices } from '../context/services';
import { toTable } from '../terminal/table';
import { createTerminal } from '../terminal/terminal';
import { fitted, oneLine } from '../../contracts/text';

interface ListOptions {
  status?: SessionStatus;
  limit: number;
  json?: true;
}

const DEFAULT_LIMIT = 20;

export const list: CliCommand = {
  name: 'list',
  summary: 'list sessions, the newest first',
  description: 'Lists sessions, the newest first.',
  examples: [
    ['surefoot list', 'the newest 20'],
    ['surefoot list --status failed --limit 5', 'what went wrong lately'],
    ["surefoot list --json | jq -r '.[].sessionId'", 'ids for a script'],
  ],
  define: (command, end) =>
    command
      .option(
        '--status <status>',
        `only those with this status: ${Object.values(SessionStatus).join(', ')}`,
        toStatusOption,
      )
      .option('--limit <n>', 'at most so many', toPositiveCount, DEFAULT_LIMIT)
      .option(...JSON_OPTION)
      .action(async (options: ListOptions) => end(await listThem(options))),
};

function toStatusOption(text: string): SessionStatus {
  const status = Object.values(SessionStatus).find((value) => value === text.toUpperCase());
  if (status === undefined)
    throw new InvalidArgumentError(`Expected one of ${Object.values(SessionStatus).join(', ')}.`);
  return status;
}

/** The name a session's workflow was started under, where it is another than the session's id. */
function ownName({ sessionId, metadata }: WorkflowSession): string | undefined {
  const workflowId: unknown = metadata?.['workflowId'];
  return typeof workflowId === 'string' && workflowId !== sessionId ? workflowId : undefined;
}

async function listThem({ status, limit, json }: ListOptions): Promise<number> {
  return await withServices('reading', async ({ sessions }) => {
    const terminal = createTerminal();
    const statuses = status === undefined ? {} : { statuses: [status] };
    const { sessions: rows, total } = await sessions.list({ ...statuses, page: 1, pageSize: limit });
    if (json) {
      terminal.printJson(rows, 2);
      return 0;
    }
    if (rows.length === 0) {
      terminal.print(status === undefined ? 'There are no sessions yet.' : `There are no sessions that are ${status}.`);
      return 0;
    }
    // Sessions that the Temporal CLI has started under names of their own are found by those in its list and web page.
    const hasNames = rows.some((session) => ownName(session) !== undefined);
    const [header = '', ...lines] = toTable(
      ['ID', ...(hasNames ? ['WORKFLOW'] : []), 'STATUS', 'STEPS', 'AGE', 'NAME OR FIRST STEP'],
      rows.map((session) => {
        const age = toAge(Date.now() - session.createdAt.getTime());
        const name = hasNames ? [ownName(session) ?? ''] : [];
        return [session.sessionId, ...name, session.status, String(session.totalSteps), age, oneLine(session.title)];
      }),
    );
    const width = process.stdout.isTTY ? terminal.columns : Infinity;
    terminal.print(fitted(header, width), 'strong');
    for (const [index, line] of lines.entries()) {
      const row = rows[index]!;
      terminal.print(withStatus(fitted(line, width), row.status));
    }
    if (total > rows.length) terminal.print(`${total - rows.length} more; --limit shows them.`, 'quiet');
    return 0;
  });
}
