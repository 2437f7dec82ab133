import fc from 'fast-check';
import { callProblems } from '../../../bench/log-checks/call-order';
import type { LogRecord } from '../../../contracts/events/log';
import { logOrderProblems } from '../../../bench/log-checks/log-order';
import { EVERYTHING, logOf } from '../../support/format-logs';
import { anySession } from '../../support/format-plans';

const renumbered = (log: readonly LogRecord[]) => log.map((record, index) => ({ ...record, seq: index + 1 }));
const kindOf = ({ facts }: LogRecord) => facts?.kind;

test('a log of either loop whose calls and turns are in order has no problem', () => {
  fc.assert(fc.property(anySession, (plan) => expect(logOrderProblems(logOf(plan))).toEqual([])));
});

test('a call, a result or the end of a turn that is in the log twice is reported', () => {
  fc.assert(
    fc.property(anySession, fc.nat(), (plan, pick) => {
      const log = logOf(plan);
      const places = log.flatMap((record, at) => (/^(call|result|turn)$/.test(kindOf(record) ?? '') ? [at] : []));
      fc.pre(places.length > 0);
      const at = places[pick % places.length]!;
      expect(callProblems(renumbered([...log.slice(0, at + 1), ...log.slice(at)]))).not.toEqual([]);
    }),
  );
});

test('a missing start or result is reported', () => {
  fc.assert(
    fc.property(anySession, fc.nat(), (plan, pick) => {
      const steps = plan.steps.map((step) =>
        step.kind === 'task' ? { ...step, turns: step.turns.map((turn) => ({ ...turn, lost: [] })) } : step,
      );
      const log = logOf({ ...plan, steps, ending: 'completed' });
      const places = log.flatMap((record, at) =>
        /^(call|result|response.start)$/.test(kindOf(record) ?? '') ? [at] : [],
      );
      fc.pre(places.length > 0);
      const at = places[pick % places.length]!;
      expect(callProblems(renumbered(log.filter((_, index) => index !== at)))).not.toEqual([]);
    }),
  );
});

test('an approval that is requested after its call has begun, or after its result, is reported', () => {
  const log = logOf(EVERYTHING);
  const asked = log.find((record) => kindOf(record) === 'approval')!;
  const { callId } = asked.facts as { callId: string };
  const others = log.filter((record) => record !== asked);
  for (const kind of ['call', 'result']) {
    const at =
      others.findIndex(({ facts }) => facts?.kind === kind && 'callId' in facts && facts.callId === callId) + 1;
    const late = renumbered([...others.slice(0, at), asked, ...others.slice(at)]);
    expect([kind, callProblems(late).length > 0]).toEqual([kind, true]);
  }
});

test('results of one turn that come in another order than their calls are reported', () => {
  const log = logOf(EVERYTHING);
  const first = log.findIndex(({ facts }) => facts?.kind === 'call');
  const [started, result] = [log[first]!, log.find(({ facts }) => facts?.kind === 'result')!];
  const other = (record: LogRecord): LogRecord => ({
    ...record,
    data: {},
    facts: { ...record.facts, callId: 'call_other' } as never,
  });
  const around = log.filter((record) => record !== started && record !== result);
  const inOrder = [started, other(started), result, other(result)];
  const crossed = [started, other(started), other(result), result];
  const withCalls = (calls: LogRecord[]) =>
    callProblems(renumbered([...around.slice(0, first), ...calls, ...around.slice(first)]));
  expect(withCalls(inOrder)).toEqual([]);
  expect(withCalls(crossed)).toEqual([expect.stringContaining('comes before that of')]);
});

test('a turn that begins again without an event for it, or after its end, is reported', () => {
  const log = logOf(EVERYTHING);
  const at = log.findIndex(({ facts }) => facts?.kind === 'turn');
  const start = log.find(({ facts }) => facts?.kind === 'response.start')!;
  expect(callProblems(renumbered([...log.slice(0, at), start, ...log.slice(at)]))).not.toEqual([]);
  const restart = { ...start, facts: { ...start.facts, isRestart: true } as never };
  expect(callProblems(renumbered([...log.slice(0, at), restart, ...log.slice(at)]))).toEqual([]);
  expect(callProblems(renumbered([...log.slice(0, at + 1), restart, ...log.slice(at + 1)]))).not.toEqual([]);
});

test('the end of a task is reported by the end of its step and by nothing else', () => {
  const log = logOf(EVERYTHING);
  const end = log.find(({ facts }) => facts?.kind === 'task-end')!;
  const moved = log.map((record) => (record.type === 'WORKFLOW_PROGRESS' ? { ...record, facts: end.facts! } : record));
  expect(callProblems(moved)).not.toEqual([]);
});
