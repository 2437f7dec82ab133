import {
  CANCELLED_ANSWER,
  COMPLETED_ANSWER,
  MAX_STEPS_ANSWER,
  type AgentLoopResult,
  type TurnLog,
} from '../../contracts/tasks/agent-loop';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import type { RecordFacts } from '../../contracts/events/record-facts';
import { SessionStatus } from '../../contracts/sessions/session';
import { parseObject } from '../../contracts/json';

type Facts<K extends RecordFacts['kind']> = Extract<RecordFacts, { kind: K }>;

/** A turn as far as its records were read. */
interface Turn {
  isAnswered: boolean;
  text: string | null;
  calls: Facts<'function-call'>[];
  started: Map<string, Facts<'call'>>;
  results: Map<string, Facts<'result'>>;
}

/** Folds the log of a session with one task into S0.5; `result` may be read at any time. */
export class LoopResult {
  private readonly turns = new Map<number, Turn>();
  /** Of each turn, its latest reply: that of another model counts what the one before has used. */
  private readonly usages = new Map<string, AgentLoopResult['usage']>();
  private model: string | undefined;
  private task: Facts<'task-end'> | undefined;
  private isCancelled = false;
  private failure: string | undefined;

  add({ type, data, facts, stepIndex, turn = 0 }: LogRecord): void {
    if (type === StreamEventType.SESSION_STATUS && data.details?.['status'] === SessionStatus.CANCELLED)
      this.isCancelled = true;
    if (type === StreamEventType.WORKFLOW_FAILED) this.failure = data.error?.message ?? data.message;
    if (facts?.kind === 'task-end') this.task = facts;
    if (facts?.kind === 'reply') this.addUsage(`${stepIndex}.${turn}`, facts);
    this.addToTurn(turn, type, facts);
  }

  result(): AgentLoopResult {
    const turns = [...this.turns].filter(([, { isAnswered }]) => isAnswered).sort(([one], [other]) => one - other);
    const { model, task } = this;
    return {
      status: this.status,
      answer: this.answerAfter(turns.at(-1)?.[1].text ?? ''),
      steps: task?.turns ?? turns.length,
      usage: this.usage,
      ...(model === undefined ? {} : { model }),
      turns: turns.map(([number, turn]) => toTurnLog(number, turn)),
    };
  }

  private get status(): AgentLoopResult['status'] {
    return this.task?.status ?? 'error';
  }

  /** S0.A1, S0.A5. */
  private answerAfter(lastText: string): string {
    const answer = this.task?.answer ?? '';
    if (this.status === 'complete') return answer || COMPLETED_ANSWER;
    if (this.status === 'max_steps') return answer || lastText || MAX_STEPS_ANSWER;
    if (this.isCancelled) return CANCELLED_ANSWER;
    return answer || this.failure || 'The session ended before its task did.';
  }

  private get usage(): AgentLoopResult['usage'] {
    const sum = { inputTokens: 0, outputTokens: 0, apiCalls: 0 };
    for (const { inputTokens, outputTokens, apiCalls } of this.usages.values()) {
      sum.inputTokens += inputTokens;
      sum.outputTokens += outputTokens;
      sum.apiCalls += apiCalls;
    }
    return sum;
  }

  /** S0.R8: every call that is billed counts. S0.A11: a call that failed and cost nothing does not. */
  private addUsage(turn: string, { end, usage, model, billedCalls = 1, usedInVain }: Facts<'reply'>): void {
    if (end === 'failed') {
      if (usedInVain === undefined) return;
      const { inputTokens, outputTokens } = usedInVain.usage;
      return void this.usages.set(turn, { inputTokens, outputTokens, apiCalls: usedInVain.billedCalls });
    }
    const { inputTokens, outputTokens } = usage;
    // `rules` is no vendor's model, and each of its turns is one call.
    this.usages.set(turn, { inputTokens, outputTokens, apiCalls: Math.max(1, billedCalls) });
    this.model = model;
  }

  private addToTurn(number: number, type: LogRecord['type'], facts: RecordFacts | undefined): void {
    if (facts === undefined) return;
    // A new attempt replaces what an earlier attempt at the turn has streamed.
    const known = facts.kind === 'response.start' ? undefined : this.turns.get(number);
    const turn: Turn = known ?? { isAnswered: false, text: null, calls: [], started: new Map(), results: new Map() };
    if (facts.kind === 'response.start' || known === undefined) this.turns.set(number, turn);
    if (facts.kind === 'reply') turn.isAnswered ||= facts.end !== 'failed';
    if (facts.kind === 'text' && type === 'response.chunk.text.done') turn.text = (turn.text ?? '') + facts.content;
    if (facts.kind === 'function-call') turn.calls.push(facts);
    if (facts.kind === 'call') turn.started.set(facts.callId, facts);
    if (facts.kind === 'result') turn.results.set(facts.callId, facts);
  }
}

/** S0.4, S0.A3, S0.A9: lists the calls in the order in which the model made them; an unfinished call has an error as result. */
function toTurnLog(number: number, { calls, started: begun, results, text }: Turn): TurnLog {
  return {
    step: number + 1,
    tools: calls.map(({ callId, name, args }) => {
      const result = results.get(callId);
      return {
        name,
        input: begun.get(callId)?.args ?? parseObject(args) ?? {},
        result: result?.text ?? 'Error: The run ended before this call did.',
        durationMs: result?.durationMs ?? 0,
      };
    }),
    ai_response: text === '' ? null : text,
  };
}
