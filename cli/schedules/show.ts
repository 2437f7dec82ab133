import type { ScheduleDetails } from '../../contracts/sessions/schedule';
import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { toPairs, toTable } from '../terminal/table';
import type { Terminal } from '../terminal/terminal';
import { whenText, withScheduleId, withSchedules, type TenantOption } from './with-schedules';

const SHOWN_STARTS = 3;

export const showSchedule: CliCommand = {
  name: 'show',
  summary: 'say when a schedule starts what, and what came of it',
  description: 'Shows the times of a schedule, what it starts, and its newest sessions with their status.',
  examples: [
    ['surefoot schedule show nightly', 'one schedule'],
    ['surefoot schedule show nightly --json | jq .request', 'what it starts'],
  ],
  define: (command, end) =>
    withScheduleId(command)
      .option(...JSON_OPTION)
      .action(async (id: string, { json, tenant }: TenantOption & { json?: true }) =>
        end(
          await withSchedules(async (schedules, terminal) => {
            const schedule = await schedules.get({ id, tenant });
            if (json === true) terminal.printJson(schedule, 2);
            else print(terminal, schedule);
          }),
        ),
      ),
};

function print(terminal: Terminal, schedule: ScheduleDetails): void {
  const { id, tenant, paused, note, nextStarts, overlap, catchUp, counts, sessions } = schedule;
  const starts = nextStarts.slice(0, SHOWN_STARTS).map((at) => at.toISOString());
  const pairs = toPairs([
    ['schedule', `${id} of ${tenant}`],
    ['when', whenText(schedule)],
    ['state', `${paused ? 'paused' : 'active'}${note === undefined ? '' : `: ${note}`}`],
    ['next starts', starts.join(', ') || 'none'],
    ['overlap', overlap],
    ['catch-up', catchUp],
    ['counts', `started ${counts.started}, skipped ${counts.skipped}, missed ${counts.missed}`],
  ]);
  for (const line of pairs) terminal.print(line);
  const rows = sessions.map(({ sessionId, status, scheduledAt }) => [
    sessionId,
    status ?? 'not begun',
    scheduledAt.toISOString(),
  ]);
  if (rows.length > 0) terminal.printBlock(toTable(['SESSION', 'STATUS', 'SCHEDULED'], rows));
}
