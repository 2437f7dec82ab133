import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';

const { STEP_COMPLETED, STEP_FAILED } = StreamEventType;

interface Call {
  turn: string;
  isStarted: boolean;
  isEnded: boolean;
}

/**
 * Everything in a whole log that breaks the order of the tool-use loop (S3.A2): a call is asked about before it runs,
 * starts before it ends, ends once, and all of a turn's have ended, in the order in which they began, before the turn is
 * over, which it is once. A step that ends early leaves turns and calls as they are.
 */
export function callProblems(records: readonly LogRecord[]): string[] {
  const problems: string[] = [];
  const check = (isGood: boolean, problem: string): void => void (isGood || problems.push(problem));
  const calls = new Map<string, Call>();
  const turnsBegun = new Set<string>();
  const turnsOver = new Set<string>();
  let current = '';

  for (const { type, seq, stepIndex, turn, facts } of records) {
    const place = `${stepIndex}.${turn}`;
    const what = `${type} (${seq})`;
    if (facts === undefined) continue;
    if (facts.kind === 'task-end')
      check(
        type === STEP_COMPLETED || type === STEP_FAILED,
        `${what} is no end of a step, and reports the end of a task`,
      );
    if (facts.kind === 'response.start') {
      check(!turnsOver.has(place), `${what} begins turn ${place}, which is over`);
      check(
        facts.isRestart === true || !turnsBegun.has(place),
        `${what} begins turn ${place} again and does not say so`,
      );
      turnsBegun.add(place);
      current = place;
    }
    if (facts.kind === 'turn') {
      check(turnsBegun.has(place), `${what} ends turn ${place}, which never began`);
      check(!turnsOver.has(place), `${what} ends turn ${place} a second time`);
      turnsOver.add(place);
      for (const [callId, call] of calls)
        check(call.turn !== place || call.isEnded, `${what} comes before the result of ${callId}`);
    }
    if (facts.kind !== 'approval' && facts.kind !== 'call' && facts.kind !== 'result') continue;
    const { callId } = facts;
    const call = calls.get(callId) ?? { turn: current, isStarted: false, isEnded: false };
    // The workflow asks for approvals without naming a turn.
    if (turn !== undefined) call.turn = place;
    calls.set(callId, call);
    check(!call.isEnded, `${what} of ${callId} comes after its result`);
    if (facts.kind === 'approval') check(!call.isStarted, `${what} asks about ${callId}, which has begun`);
    if (facts.kind === 'call') {
      check(!call.isStarted, `${what} starts ${callId} a second time`);
      call.isStarted = true;
    }
    if (facts.kind === 'result') {
      check(
        call.isStarted !== (facts.isUnrun === true),
        `${what} of ${callId}, which ${call.isStarted ? 'ran' : 'never ran'}`,
      );
      const before = [...calls].find(([, other]) => other.turn === call.turn && other.isStarted && !other.isEnded);
      check(!call.isStarted || before?.[0] === callId, `${what} of ${callId} comes before that of ${before?.[0]}`);
      call.isEnded = true;
    }
  }
  return problems;
}
