import { Option, type Command } from 'commander';
import { ScheduleOverlapSchema, type ScheduleOverlap } from '../../contracts/sessions/schedule';
import { collectText } from '../input/options';

export interface TimesOptions {
  cron?: string[];
  every?: string[];
  timeZone?: string;
  overlap?: ScheduleOverlap;
  catchUp?: string;
  note?: string;
}

/** Adds when a schedule starts sessions, and what it does where something is in the way. */
export function addTimesOptions(command: Command): Command {
  return command
    .option('--cron <expression>', 'when: minute, hour, day of month, month, day of week; may be repeated', collectText)
    .option('--every <time>', 'when: an interval such as 10m, or with an offset 1h/15m; may be repeated', collectText)
    .option('--time-zone <name>', 'that of --cron, such as Europe/Vienna (UTC by default)')
    .addOption(
      new Option('--overlap <policy>', 'what is done while the session before is open (skip by default)').choices(
        ScheduleOverlapSchema.options,
      ),
    )
    .option('--catch-up <time>', 'how late a start may be after an outage, such as 2h (365d by default)')
    .option('--note <text>', 'what people should know of it');
}

/** Those that were given. */
export function givenTimes({ cron, every, timeZone, overlap, catchUp, note }: TimesOptions): Partial<TimesOptions> {
  const given = { cron, every, timeZone, overlap, catchUp, note };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
