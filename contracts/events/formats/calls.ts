import { StreamEventType } from '../stream-event';
import type { LogRecord } from '../log';

/** The start of a call, of either loop, for every format but S1's. */
export interface CallStart {
  callId: string;
  toolName: string;
  args: Record<string, unknown>;
}

/** The end of a call. `isUnrun`: it never ran, so it has no start. */
export interface CallEnding {
  callId: string;
  toolName: string;
  /** One line. */
  summary: string;
  /** What came of it, for the model. */
  text?: string | undefined;
  error?: string | undefined;
  durationMs?: number | undefined;
  isUnrun: boolean;
}

const { COMMAND_STARTED, COMMAND_COMPLETED, COMMAND_FAILED } = StreamEventType;

/** A command of the ACT-REFLECT loop is a call of the tool that its action names (X.A8). */
export function callStartOf({ type, data, facts }: LogRecord): CallStart | undefined {
  if (facts?.kind === 'call') return { callId: facts.callId, toolName: facts.toolName, args: facts.args };
  if (facts !== undefined || type !== COMMAND_STARTED || data.command === undefined) return undefined;
  const { commandId, action, parameters } = data.command;
  return { callId: commandId, toolName: action, args: { ...parameters } };
}

export function callEndOf({ type, data, facts }: LogRecord): CallEnding | undefined {
  if (facts?.kind === 'result') {
    const { kind: _kind, isUnrun = false, hasScreenshot: _hasScreenshot, ...ending } = facts;
    return { ...ending, isUnrun };
  }
  if (facts !== undefined || data.command === undefined) return undefined;
  if (type !== COMMAND_COMPLETED && type !== COMMAND_FAILED) return undefined;
  const { commandId, action, status, duration } = data.command;
  const error = type === COMMAND_FAILED ? (data.error?.message ?? `${action} failed.`) : undefined;
  return {
    callId: commandId,
    toolName: action,
    summary: error ?? data.message ?? `${action} ${status}`,
    error,
    durationMs: duration,
    isUnrun: false,
  };
}
