import { Option } from 'commander';
import { ScheduleOverlapSchema, type TriggerSchedule } from '../../contracts/sessions/schedule';
import { sendOnce } from '../context/receipt';
import type { CliCommand } from '../context/define-command';
import { asCalled } from '../terminal/as-called';
import { withScheduleId, withSchedules, type TenantOption } from './with-schedules';

export const triggerSchedule: CliCommand = {
  name: 'trigger',
  summary: 'start a session of a schedule now',
  description: 'Starts a session now, besides those that are due, also while the schedule is paused.',
  examples: [['surefoot schedule trigger nightly', 'a first try']],
  define: (command, end) =>
    withScheduleId(command)
      .addOption(
        new Option('--overlap <policy>', 'what is done while another session of it is open').choices(
          ScheduleOverlapSchema.options,
        ),
      )
      .action(async (id: string, { tenant, ...request }: TenantOption & TriggerSchedule) =>
        end(
          await withSchedules(async (schedules, terminal) => {
            const { reason } = await sendOnce((keyed) => schedules.trigger({ id, tenant }, request, keyed));
            terminal.print(`A session of ${id} is asked for; ${asCalled(`schedule show ${id}`)} shows it.`);
            if (reason !== undefined) terminal.print(reason, 'warning');
          }),
        ),
      ),
};
