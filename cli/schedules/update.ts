import { UpdateScheduleSchema, type UpdateSchedule } from '../../contracts/sessions/schedule';
import { issuesOf } from '../../contracts/errors/issues';
import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { CliError } from '../context/exit';
import { wrongInput } from '../input/request';
import { addRequestOptions } from '../input/request-options';
import { wholeOf, type GivenSchedule } from './create';
import { addTimesOptions, givenTimes } from './times-options';
import { whenText, withSchedules } from './with-schedules';

export const updateSchedule: CliCommand = {
  name: 'update',
  summary: 'change when a schedule starts sessions, or what it starts',
  description:
    'What is not named stays; --cron and --every are changed together. Steps or a file replace the whole request with its options. ' +
    'A session that is open goes on as it was.',
  examples: [
    ["surefoot schedule update nightly --cron '30 2 * * *'", 'at another time'],
    ['surefoot schedule update nightly -f steps.txt', 'with other steps'],
  ],
  define: (command, end) =>
    addTimesOptions(addRequestOptions(command))
      .argument('<id>', 'the id of a schedule')
      .argument('[steps...]', 'what to do from now on, in plain English, a step each; a single - reads standard input')
      .option(...JSON_OPTION)
      .action(async (id: string, steps: string[], options: GivenSchedule) => end(await update(id, steps, options))),
};

async function update(id: string, steps: readonly string[], options: GivenSchedule): Promise<number> {
  const request = await parseUpdate(steps, options);
  const { tenant } = options;
  return await withSchedules(async (schedules, terminal) => {
    const schedule = await schedules.update({ id, tenant }, request);
    if (options.json === true) return terminal.printJson(schedule, 2);
    terminal.print(`The schedule ${id} is changed: ${whenText(schedule)}.`);
  });
}

async function parseUpdate(steps: readonly string[], options: GivenSchedule): Promise<UpdateSchedule> {
  const isOther = steps.length > 0 || options.file !== undefined;
  const times = givenTimes(options);
  const { json: _json, tenant: _tenant, ...named } = options;
  const given = Object.entries(named).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const [orphan] = isOther ? [] : given.map(([name]) => name).filter((name) => !(name in times));
  if (orphan !== undefined)
    throw new CliError(`${flagOf(orphan)} is an option of what the schedule starts: give its steps or --file as well.`);
  const parsed = UpdateScheduleSchema.safeParse(isOther ? await wholeOf(steps, options) : times);
  if (parsed.success) return parsed.data;
  throw wrongInput('The schedule was not changed', issuesOf(parsed.error));
}

function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
