import { isObject } from '../../contracts/json';
import { issuesOf } from '../../contracts/errors/issues';
import { ScheduleRequestSchema, type ScheduleRequest } from '../../contracts/sessions/schedule';
import type { CliCommand } from '../context/define-command';
import { JSON_OPTION } from '../input/options';
import { draftOf, withOptions, wrongInput, type RequestOptions } from '../input/request';
import { addRequestOptions } from '../input/request-options';
import { namedSecrets } from '../input/secret-options';
import type { RequestDraft } from '../input/step-input';
import { addTimesOptions, givenTimes, type TimesOptions } from './times-options';
import { whenText, withSchedules } from './with-schedules';

export interface GivenSchedule
  extends TimesOptions, Omit<RequestOptions, 'chat' | 'envFile' | 'notBefore' | 'replayOnly'> {
  json?: true;
}

interface Options extends GivenSchedule {
  paused?: true;
}

export const createSchedule: CliCommand = {
  name: 'create',
  summary: 'create a schedule',
  description:
    'Takes what a session is started with as `surefoot run` does, and validates it now. A file may also be a whole schedule, as JSON ' +
    'for POST /v1/schedules: {"cron", "request": {"steps"}}. The workers read secrets from their own environment.',
  examples: [
    [
      "surefoot schedule create nightly --cron '0 3 * * *' --time-zone Europe/Vienna -f steps.txt",
      'each night at three',
    ],
    [
      "surefoot schedule create stock --every 10m 'Open https://shop.example' 'Save the stock as stock'",
      'every ten minutes',
    ],
    ['surefoot schedule create monthly --file schedule.json', 'a whole schedule'],
  ],
  define: (command, end) =>
    addTimesOptions(addRequestOptions(command))
      .argument('<id>', 'its name, with which the names of its sessions begin')
      .argument('[steps...]', 'what to do, in plain English, a step each; a single - reads standard input')
      .option('--paused', 'start nothing before it is resumed')
      .option(...JSON_OPTION)
      .action(async (id: string, steps: string[], options: Options) => end(await create(id, steps, options))),
};

async function create(id: string, steps: readonly string[], options: Options): Promise<number> {
  const request = await parseSchedule(id, steps, options);
  return await withSchedules(async (schedules, terminal) => {
    const schedule = await schedules.create(request);
    if (options.json === true) return terminal.printJson(schedule, 2);
    const next = schedule.nextStarts[0]?.toISOString();
    terminal.print(`The schedule ${id} is created: ${whenText(schedule)}.`);
    terminal.print(schedule.paused ? 'It is paused.' : `It starts next on ${next ?? 'no day'}.`);
  });
}

async function parseSchedule(id: string, steps: readonly string[], options: Options): Promise<ScheduleRequest> {
  const { paused } = options;
  const parsed = ScheduleRequestSchema.safeParse({
    ...(await wholeOf(steps, options)),
    ...(paused === undefined ? {} : { paused }),
    id,
  });
  if (parsed.success) return parsed.data;
  throw wrongInput('The schedule was not created', issuesOf(parsed.error));
}

/** A schedule out of a file, steps and options; what is given by an option counts more. */
export async function wholeOf(steps: readonly string[], options: GivenSchedule): Promise<Record<string, unknown>> {
  const draft: RequestDraft & { request?: unknown } = await draftOf(steps, options);
  const whole: { request?: unknown } = 'request' in draft ? draft : { request: draft };
  const { request } = whole;
  const secrets = namedSecrets([...(options.secret ?? []), ...(options.totp ?? [])]);
  return {
    ...whole,
    ...givenTimes(options),
    request: isObject(request) ? withOptions(request as unknown as RequestDraft, options, secrets) : request,
  };
}
