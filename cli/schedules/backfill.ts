import { Option } from 'commander';
import { issuesOf } from '../../contracts/errors/issues';
import {
  BackfillScheduleSchema,
  ScheduleOverlapSchema,
  type BackfillSchedule,
} from '../../contracts/sessions/schedule';
import { sendOnce } from '../context/receipt';
import type { CliCommand } from '../context/define-command';
import { wrongInput } from '../input/request';
import { asCalled } from '../terminal/as-called';
import { withScheduleId, withSchedules, type TenantOption } from './with-schedules';

export const backfillSchedule: CliCommand = {
  name: 'backfill',
  summary: 'start what would have been due between two times',
  description:
    'Starts a session for each time of the schedule between two times, one after the other. A time whose session has run does nothing again.',
  examples: [
    [
      'surefoot schedule backfill nightly --from 2026-03-01T00:00:00Z --to 2026-03-04T00:00:00Z',
      'three nights that were missed',
    ],
  ],
  define: (command, end) =>
    withScheduleId(command)
      .requiredOption('--from <time>', 'with its offset, such as 2026-03-01T00:00:00Z')
      .requiredOption('--to <time>', 'the same')
      .addOption(
        new Option(
          '--overlap <policy>',
          'what is done while the session before is open (buffer-all by default)',
        ).choices(ScheduleOverlapSchema.options),
      )
      .action(async (id: string, { tenant, ...given }: TenantOption & BackfillSchedule) => {
        const parsed = BackfillScheduleSchema.safeParse(given);
        if (!parsed.success) throw wrongInput('Nothing was started', issuesOf(parsed.error));
        return end(
          await withSchedules(async (schedules, terminal) => {
            await sendOnce((keyed) => schedules.backfill({ id, tenant }, parsed.data, keyed));
            terminal.print(`The sessions of ${id} are asked for; ${asCalled(`schedule show ${id}`)} shows them.`);
          }),
        );
      }),
};
