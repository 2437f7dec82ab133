import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of a page that shows a recorded history, or with `steps` what it has between its first and its last step. */
const BLOCK = /^```txt history=(\S+)( steps)?\n[^]*?^```$/gm;
const AROUND_STEPS = ['planStart', 'openSession', 'acquireBrowser', 'closeBrowser', 'publishEvents'];
const LONGEST_NAME = 'acquireBrowser'.length;

interface Failure {
  message?: string;
  applicationFailureInfo?: { type?: string };
  timeoutFailureInfo?: { timeoutType?: string };
  cause?: Failure;
}

/** What is read of an event in Temporal's JSON. */
interface HistoryEvent {
  eventId: string;
  eventType: string;
  userMetadata?: { summary?: { data?: string } };
  [attributes: `${string}Attributes`]: {
    activityType?: { name?: string };
    scheduledEventId?: string;
    startedEventId?: string;
    attempt?: number;
    failure?: Failure;
    lastFailure?: Failure;
  };
}

/** A page of docs/ with its blocks of histories as they stand in `folder`, test/replay/histories. */
export function withHistories(page: string, folder: string): string {
  return page.replaceAll(
    BLOCK,
    (_, name: string, steps: string | undefined = '') =>
      `\`\`\`txt history=${name}${steps}\n${describeHistory(fileOf(name, folder), steps !== '')}\n\`\`\``,
  );
}

/** A line for each activity, each timer that has fired and the end: the number of the event, the name, the summary, and how it ended. */
function describeHistory(file: string, onlySteps: boolean): string {
  const { events } = JSON.parse(readFileSync(file, 'utf8')) as { events: HistoryEvent[] };
  const lines = events.flatMap((event) => {
    const text = onlySteps && isAroundSteps(event, events) ? undefined : describeEvent(event, events);
    return text === undefined ? [] : [`${event.eventId.padStart(3)}  ${text}`.trimEnd()];
  });
  return lines.join('\n');
}

function isAroundSteps(event: HistoryEvent, events: readonly HistoryEvent[]): boolean {
  const { activityType } = attributesOf(event);
  return AROUND_STEPS.includes(activityType?.name ?? '') && endOf(event, events) === '';
}

function fileOf(name: string, folder: string): string {
  const file = readdirSync(folder).find((each) => each.replace(/^v[\d.]+-|\.json$/g, '') === name);
  if (file === undefined) throw new Error(`There is no history “${name}” in ${folder}.`);
  return join(folder, file);
}

function describeEvent(event: HistoryEvent, events: readonly HistoryEvent[]): string | undefined {
  const kind = event.eventType.replace('EVENT_TYPE_', '');
  const { activityType, startedEventId, failure } = attributesOf(event);
  if (kind === 'ACTIVITY_TASK_SCHEDULED')
    return `${(activityType?.name ?? '').padEnd(LONGEST_NAME)}  ${summaryOf(event)}${endOf(event, events)}`;
  if (kind === 'TIMER_FIRED') {
    const timer = events.find(({ eventId }) => eventId === startedEventId);
    return `${'timer fired'.padEnd(LONGEST_NAME)}  ${timer === undefined ? '' : summaryOf(timer)}`;
  }
  if (kind === 'WORKFLOW_EXECUTION_COMPLETED') return 'completed';
  if (kind === 'WORKFLOW_EXECUTION_FAILED') return `failed: ${reasonOf(failure)}`;
  return undefined;
}

/** How an activity ended, where it did not end well at its first attempt. */
function endOf({ eventId }: HistoryEvent, events: readonly HistoryEvent[]): string {
  const later = events.filter((each) => attributesOf(each).scheduledEventId === eventId);
  const attempt = Math.max(1, ...later.map((each) => attributesOf(each).attempt ?? 1));
  const failed = later.find((each) => attributesOf(each).failure !== undefined && !each.eventType.endsWith('_STARTED'));
  const lastFailure = later.map((each) => attributesOf(each).lastFailure).find((failure) => failure !== undefined);
  if (later.some(({ eventType }) => eventType.endsWith('CANCEL_REQUESTED'))) return '  → cancelled';
  if (failed !== undefined)
    return `  → attempt ${attempt}: ${reasonOf(attributesOf(failed).failure)}`.replace(' attempt 1:', '');
  return attempt === 1 ? '' : `  → attempt ${attempt}, after ${reasonOf(lastFailure)}`;
}

function reasonOf(failure: Failure | undefined): string {
  if (failure?.timeoutFailureInfo !== undefined) return (failure.message ?? 'timed out').replace(/^activity /, '');
  return failure?.applicationFailureInfo?.type || (failure?.message ?? 'failed');
}

function attributesOf(event: HistoryEvent): HistoryEvent[`${string}Attributes`] {
  const name = Object.keys(event).find((key): key is `${string}Attributes` => key.endsWith('Attributes'));
  return (name === undefined ? undefined : event[name]) ?? {};
}

function summaryOf({ userMetadata }: HistoryEvent): string {
  const data = userMetadata?.summary?.data;
  return data === undefined ? '' : (JSON.parse(Buffer.from(data, 'base64').toString()) as string);
}
