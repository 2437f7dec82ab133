import { StreamEventType } from '../stream-event';
import type { LogRecord } from '../log';

const { STEP_COMPLETED, STEP_FAILED, COMMAND_STARTED, COMMAND_COMPLETED, COMMAND_FAILED } = StreamEventType;

/** A turn of the ACT-REFLECT loop that has ended and has no frame for its end yet. */
interface EndedTurn {
  number: number;
  tokens: number;
  hasToolCalls: boolean;
}

/** The turn that the log is in. */
interface OpenTurn {
  /** Step and turn of its records. */
  key: string;
  /** The tool-use loop publishes the end of a turn; that of ACT-REFLECT is derived here. */
  isToolUse: boolean;
  /** Of the reply; undefined before it has come. */
  tokens: number | undefined;
  commands: number;
  started: number;
  ended: number;
}

/**
 * Model turns of a session, numbered from 1 over all of its steps: S0.step, S2.turn and S3.iteration are this one number
 * (X.A7). S1 has no event for the end of an ACT-REFLECT iteration: it is over when the last command of its reply has
 * ended, or when the next call or the end of its step comes first. Its frame comes with the first record after that which has no
 * frame of its own in the format.
 */
export interface Turns {
  count: number;
  open: OpenTurn | undefined;
  ended: EndedTurn | undefined;
}

export const NO_TURNS: Turns = { count: 0, open: undefined, ended: undefined };

export function nextTurns(turns: Turns, record: LogRecord): Turns {
  const { stepIndex, turn, type } = record;
  if (stepIndex !== undefined && turn !== undefined) {
    const key = `${stepIndex}.${turn}`;
    // A late record of a command belongs to an earlier turn.
    const isNew = turns.open === undefined || (turns.open.key !== key && !isOfCommand(record));
    const begun = isNew ? { ...closed(turns), count: turns.count + 1, open: openTurn(key) } : turns;
    return begun.open?.key === key ? { ...begun, ...advanced(begun, begun.open, record) } : begun;
  }
  return type === STEP_COMPLETED || type === STEP_FAILED ? closed(turns) : turns;
}

/** Removes the ended turn, once a format has made a frame of its end. */
export function withoutEndedTurn(turns: Turns): Turns {
  return { ...turns, ended: undefined };
}

function openTurn(key: string): OpenTurn {
  return { key, isToolUse: false, tokens: undefined, commands: 0, started: 0, ended: 0 };
}

function advanced(
  { count, ended }: Turns,
  open: OpenTurn,
  { type, data, facts }: LogRecord,
): Pick<Turns, 'open' | 'ended'> {
  const next = { ...open };
  if (facts?.kind === 'response.start') next.isToolUse = true;
  if (facts?.kind === 'reply' && !next.isToolUse) {
    next.tokens = facts.usage.inputTokens + facts.usage.outputTokens;
    const commands: unknown = data.details?.['commands'];
    next.commands = Array.isArray(commands) ? commands.length : 0;
  }
  if (type === COMMAND_STARTED) next.started += 1;
  if (type === COMMAND_COMPLETED || type === COMMAND_FAILED) next.ended += 1;
  return next.tokens === undefined || next.ended < next.commands
    ? { open: next, ended }
    : { open: { ...next, tokens: undefined }, ended: endOf(count, next, next.tokens) };
}

/** The turn is not over while commands run. */
function closed(turns: Turns): Turns {
  const { count, open } = turns;
  if (open?.tokens === undefined || open.ended < open.started) return turns;
  return { ...turns, open: { ...open, tokens: undefined }, ended: endOf(count, open, open.tokens) };
}

function endOf(number: number, { commands }: OpenTurn, tokens: number): EndedTurn {
  return { number, tokens, hasToolCalls: commands > 0 };
}

function isOfCommand({ type, owner }: LogRecord): boolean {
  return type.startsWith('COMMAND_') || owner === 'executor';
}
