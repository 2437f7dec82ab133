import type { CliCommand } from '../context/define-command';
import { withScheduleId, withSchedules, type TenantOption } from './with-schedules';

export const deleteSchedule: CliCommand = {
  name: 'delete',
  summary: 'delete a schedule',
  description: 'Deletes a schedule. The sessions that it has started stay, and go on.',
  examples: [['surefoot schedule delete nightly', 'it starts nothing more']],
  define: (command, end) =>
    withScheduleId(command).action(async (id: string, { tenant }: TenantOption) =>
      end(
        await withSchedules(async (schedules, terminal) => {
          await schedules.delete({ id, tenant });
          terminal.print(`The schedule ${id} is deleted.`);
        }),
      ),
    ),
};
