import { EVENTS } from '../../contracts/events/event-definitions';
import type { StreamEventData, StreamEventType } from '../../contracts/events/stream-event';
import { isStreamType, type LogRecord } from '../../contracts/events/log';

type Member = keyof StreamEventData;

/** S1.R13: the members that an event of this type carries. */
export function payloadMembersOf(type: StreamEventType): readonly Member[] {
  return Object.keys(EVENTS[type].payload) as Member[];
}

/**
 * What in a log is not in its place by S1.R13, or names another session than its envelope (S1.A28); empty for a good
 * one.
 */
export function payloadProblems(records: readonly LogRecord[]): string[] {
  return records.flatMap(({ seq, type, sessionId, data, facts }) => {
    const members = isStreamType(type) ? payloadMembersOf(type) : [];
    // A tool that drives no browser is published as text: S1 has no member for it.
    const isOfTool = data.command === undefined && (facts?.kind === 'call' || facts?.kind === 'result');
    const wanted = isOfTool ? members.filter((name) => name !== 'command') : members;
    const free: readonly Member[] = ['message', 'details'];
    const present = Object.entries(data).filter(([, value]) => value !== undefined) as [Member, unknown][];
    const names = present.map(([name]) => name);
    const missing = wanted.filter((name) => !names.includes(name)).map((name) => `has no ${name}`);
    const strange = names.filter((name) => ![...wanted, ...free].includes(name)).map((name) => `has a ${name}`);
    const misplaced = present
      .filter(([name, value]) => !free.includes(name) && belongsElsewhere(value, sessionId))
      .map(([name]) => `has the ${name} of another session`);
    return [...missing, ...strange, ...misplaced].map((problem) => `${type} (${seq}) ${problem}`);
  });
}

function belongsElsewhere(value: unknown, sessionId: string): boolean {
  const named = typeof value === 'object' && value !== null && 'sessionId' in value ? value.sessionId : undefined;
  return named !== undefined && named !== sessionId;
}
