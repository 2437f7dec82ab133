import { StreamEventType } from '../../../contracts/events/stream-event';
import type { LogRecord, RecordType } from '../../../contracts/events/log';
import type { Kill } from '../faults/random-kills';

/** How long a kill delayed the affected sessions. */
export interface RecoveryTimes {
  /** Time to the next command of the slowest session; undefined when no session had a command left. */
  toCommandMs: number | undefined;
  /** For a Chrome: time to the model's first reply on the restored page. */
  toRestoredMs: number | undefined;
}

const COMMAND_TYPES: readonly RecordType[] = [
  StreamEventType.COMMAND_STARTED,
  StreamEventType.COMMAND_COMPLETED,
  StreamEventType.COMMAND_FAILED,
];

export function recoveryTimes(
  { at, what, affected }: Kill,
  logs: ReadonlyMap<string, readonly LogRecord[]>,
): RecoveryTimes {
  const lists = affected.map((id) => (logs.get(id) ?? []).filter((record) => Date.parse(record.at) > at));
  const since = (record: LogRecord | undefined): number[] => (record === undefined ? [] : [Date.parse(record.at) - at]);
  const commands = lists.flatMap((later) => since(later.find(({ type }) => COMMAND_TYPES.includes(type))));
  const restored = what === 'browser' ? lists.flatMap((later) => since(restoredIn(later))) : [];
  return { toCommandMs: slowest(commands), toRestoredMs: slowest(restored) };
}

function restoredIn(later: readonly LogRecord[]): LogRecord | undefined {
  const lost = later.findIndex(({ data }) => data.warning?.id.includes('/browser-lost/') === true);
  if (lost === -1) return undefined;
  return later.slice(lost).find(({ type }) => type === StreamEventType.AI_REASONING);
}

function slowest(waits: readonly number[]): number | undefined {
  return waits.length === 0 ? undefined : Math.max(...waits);
}
