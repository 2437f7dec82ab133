import type { Schedules } from '../../service/schedules/schedules';
import type { CliCommand } from '../context/define-command';
import { withScheduleId, withSchedules, type TenantOption } from './with-schedules';

const changing = (name: 'pause' | 'resume', summary: string, description: string, done: string): CliCommand => ({
  name,
  summary,
  description: `${description} The note replaces the one before.`,
  examples: [[`surefoot schedule ${name} nightly --note 'the site moves'`, 'with the reason']],
  define: (command, end) =>
    withScheduleId(command)
      .option('--note <text>', 'why')
      .action(async (id: string, { tenant, note }: TenantOption & { note?: string }) =>
        end(
          await withSchedules(async (schedules: Schedules, terminal) => {
            await schedules[name]({ id, tenant }, note === undefined ? {} : { note });
            terminal.print(`The schedule ${id} ${done}.`);
          }),
        ),
      ),
});

export const pauseSchedule = changing(
  'pause',
  'have a schedule start nothing until it is resumed',
  'Pauses a schedule. A session that it has started goes on.',
  'is paused',
);

export const resumeSchedule = changing(
  'resume',
  'have a paused schedule go on',
  'Resumes a schedule from its next time on; what was due meanwhile is not started (`backfill` does that).',
  'goes on',
);
