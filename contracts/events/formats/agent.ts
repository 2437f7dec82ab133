import { z } from 'zod';
import { AgentEventType, createAgentEventFromLLMResponse, type AgentEvent } from '../../agents/agent-event';
import type { LLMResponse } from '../../tasks/chat';
import { enumOf } from '../../enum-of';
import { StreamEventType } from '../stream-event';
import type { LogRecord } from '../log';
import { SessionStatus } from '../../sessions/session';
import { callEndOf, callStartOf } from './calls';
import type { EventFormat } from './format';
import { chatEventOf, nextReply, NO_REPLY, type Reply } from './reply';
import { isCancellation } from '../../errors/cancellation';
import { fallbackOf } from './model-fallback';
import { runEndOf } from './run-end';
import { nextTurns, NO_TURNS, withoutEndedTurn, type Turns } from './turns';

/** S2.16 as it comes over a wire, with what S2.17 adds to events of the chat layer. */
export const AgentFrameSchema = z.object({
  type: enumOf<AgentEventType>(AgentEventType),
  data: z.unknown().optional(),
  timestamp: z.number(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  sessionId: z.string().optional(),
  turn: z.number().optional(),
});
export type AgentFrame = AgentEvent & { sessionId?: string | undefined; turn?: number | undefined };

export interface AgentState {
  turns: Turns;
  reply: Reply;
  /** The error of the last failed step: the end of the session does not repeat it. */
  reportedErrorId: string | undefined;
}

const { STEP_STARTED, STEP_FAILED, SESSION_STATUS, WORKFLOW_FAILED } = StreamEventType;
const E = AgentEventType;

/** The `agent` format (S2.15, X.M). It ends with the log: S2 has no event for a run that ends well. */
export const agentFormat: EventFormat<AgentState, AgentFrame> = {
  start: { turns: NO_TURNS, reply: NO_REPLY, reportedErrorId: undefined },
  step(before, record) {
    const { sessionId, data } = record;
    const state: AgentState = {
      ...before,
      turns: nextTurns(before.turns, record),
      reply: nextReply(before.reply, record),
    };
    const { ended: over, count: turn } = state.turns;
    const timestamp = Date.parse(record.at);

    const chat = chatEventOf(state.reply, record);
    // The complete reply repeats the thoughts; nothing repeats the end of a turn.
    if (chat !== undefined && !(over !== undefined && isThoughtOfActReflect(record)))
      return [state, toChatFrame(chat, record, turn)];
    const frame = ownFrame(state, record, timestamp);
    if (frame !== undefined)
      return [
        frame.type === E.Error ? { ...state, reportedErrorId: data.error?.id ?? state.reportedErrorId } : state,
        frame,
      ];
    if (over === undefined) return [state, undefined];
    const { number, hasToolCalls } = over;
    return [
      { ...state, turns: withoutEndedTurn(state.turns) },
      turnComplete({ sessionId, turn: number, hasToolCalls }, timestamp),
    ];
  },
};

function isThoughtOfActReflect({ type, facts }: LogRecord): boolean {
  return type === StreamEventType.AI_REASONING && facts === undefined;
}

function toChatFrame(chat: LLMResponse, { sessionId, at, facts }: LogRecord, turn: number): AgentFrame {
  const event = createAgentEventFromLLMResponse(chat, sessionId, turn, Date.parse(at));
  if (facts?.kind !== 'response.start' || facts.isRestart !== true) return event;
  return { ...event, metadata: { ...event.metadata, isRestart: true } };
}

function turnComplete(data: { sessionId: string; turn: number; hasToolCalls: boolean }, timestamp: number): AgentFrame {
  return { type: E.TurnComplete, data: { type: 'turn_complete', ...data }, timestamp };
}

/** Events that are no chat events, with the payloads of S2.18, S2.19 and S2.A5. */
function ownFrame(state: AgentState, record: LogRecord, timestamp: number): AgentFrame | undefined {
  const { type, data, facts, sessionId } = record;
  const { count: turn } = state.turns;
  const event = (of: AgentEventType, payload: object): AgentFrame => ({ type: of, data: payload, timestamp });

  if (facts?.kind === 'turn') return turnComplete({ sessionId, turn, hasToolCalls: facts.hasToolCalls }, timestamp);
  if (facts?.kind === 'approval') {
    const { approvalId, callId, toolName, args, card: confirmationDetails } = facts;
    return event(E.ToolConfirmation, { callId, toolName, confirmationDetails, sessionId, turn, approvalId, args });
  }
  const start = callStartOf(record);
  if (start !== undefined) return event(E.ToolExecutionStart, { ...start, sessionId, turn });
  const end = callEndOf(record);
  if (end !== undefined) {
    const { toolName, callId, text, durationMs: duration } = end;
    const error = end.error ?? (end.isUnrun ? end.summary : undefined);
    const outcome = error === undefined ? { result: text ?? end.summary } : { error };
    return event(E.ToolExecutionDone, {
      toolName,
      callId,
      ...outcome,
      ...(duration === undefined ? {} : { duration }),
      sessionId,
      turn,
    });
  }
  const fallback = fallbackOf(record);
  if (fallback !== undefined) return event(E.ModelFallback, fallback);
  if (type === STEP_STARTED) {
    // The message is answered by the turn that follows it.
    const content = data.step?.stepContent ?? '';
    return event(E.UserMessage, { type: 'user_input', content, sessionId, turn: turn + 1 });
  }
  // Of a conversation one response may be cancelled, and the session goes on.
  if (type === E.UserCancelled)
    return event(type, { type: 'user_cancelled', reason: data.message ?? 'The response was cancelled.', sessionId });
  if (type === SESSION_STATUS && data.details?.['status'] === SessionStatus.CANCELLED)
    return event(E.UserCancelled, { type: 'user_cancelled', reason: 'The session was cancelled.', sessionId });
  const isFailure = type === STEP_FAILED || type === WORKFLOW_FAILED;
  if (!isFailure || isCancellation(data.error) || isReported(state, record)) return undefined;
  const message = data.error?.message ?? data.message ?? 'The session failed.';
  return event(E.Error, { message, timestamp, turn, ...(data.error === undefined ? {} : { code: data.error.code }) });
}

function isReported({ reportedErrorId }: AgentState, record: LogRecord): boolean {
  return (
    runEndOf(record, undefined) !== undefined &&
    reportedErrorId !== undefined &&
    reportedErrorId === record.data.error?.id
  );
}
