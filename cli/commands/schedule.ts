import { addCommand, type CliCommand } from '../context/define-command';
import { backfillSchedule } from '../schedules/backfill';
import { createSchedule } from '../schedules/create';
import { deleteSchedule } from '../schedules/delete';
import { listSchedules } from '../schedules/list';
import { pauseSchedule, resumeSchedule } from '../schedules/pause';
import { showSchedule } from '../schedules/show';
import { triggerSchedule } from '../schedules/trigger';
import { updateSchedule } from '../schedules/update';

const SUBCOMMANDS: readonly CliCommand[] = [
  createSchedule,
  listSchedules,
  showSchedule,
  updateSchedule,
  pauseSchedule,
  resumeSchedule,
  triggerSchedule,
  backfillSchedule,
  deleteSchedule,
];

export const schedule: CliCommand = {
  name: 'schedule',
  summary: 'create, list, show, update, pause, resume, trigger, backfill or delete schedules',
  description: 'A schedule is Temporal’s own: it starts a session at its times.',
  examples: [
    ["surefoot schedule create nightly --cron '0 3 * * *' -f steps.txt", 'a session each night'],
    ['surefoot schedule list', 'when each starts next'],
    ['surefoot schedule trigger nightly', 'a session now'],
  ],
  define: (command, end) => {
    for (const subcommand of SUBCOMMANDS) addCommand(command, subcommand, end);
  },
};
