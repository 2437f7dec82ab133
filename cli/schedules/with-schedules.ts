import type { Command } from 'commander';
import type { ScheduleDetails } from '../../contracts/sessions/schedule';
import type { Schedules } from '../../service/schedules/schedules';
import { withServices } from '../context/services';
import { createTerminal, type Terminal } from '../terminal/terminal';

export interface TenantOption {
  tenant?: string;
}

/** Adds the argument of one schedule, and whose it has to be. */
export function withScheduleId(command: Command): Command {
  return command.argument('<id>', 'the id of a schedule').option('--tenant <name>', 'whose schedule it has to be');
}

/** Connects to Temporal and the database and runs the work; resolves to the exit code of success. */
export async function withSchedules(
  work: (schedules: Schedules, terminal: Terminal) => Promise<void>,
): Promise<number> {
  return await withServices('acting', async ({ store, temporal, settings }) => {
    const { createSchedules } = await import('../../service/schedules/schedules.js');
    const { connections } = settings;
    await work(createSchedules({ store, temporal, connections, floors: settings }), createTerminal());
    return 0;
  });
}

/** When it starts sessions: `0 3 * * * Europe/Vienna`. */
export function whenText({ cron, every, timeZone }: Pick<ScheduleDetails, 'cron' | 'every' | 'timeZone'>): string {
  const intervals = every.map((text) => `every ${text}`);
  return [...(cron.length === 0 ? [] : [`${cron.join(', ')} ${timeZone}`]), ...intervals].join(', ');
}
