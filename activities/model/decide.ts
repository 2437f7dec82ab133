import { AIResponseSchema, type AIResponse } from '../../contracts/ai-response';
import { StreamEventType } from '../../contracts/events';
import type { NewRecord } from '../../contracts/log';
import type { PageLook } from '../../contracts/page';
import { issuesOf } from '../../contracts/start-request';
import { judgementOf } from '../../contracts/unknown-outcome';
import { faultPoint } from '../../runtime/fault-point';
import type { ReplyRow } from '../../store/step-memory';
import type { Store } from '../../store/store';
import type { ActivityCall } from '../activity';
import type { PlannedCommand } from '../../contracts/planned-command';
import type { DecideInput, DecideOutput } from '../engine-activities';
import { write } from '../events/bookkeeping';
import { EngineError } from '../failures';
import { durableTarget, refIn, selectorText } from './durable-target';
import type { Model, ModelAnswer } from './port';
import { questionFor } from './question';

/** Where a model is found by the name that a session's config gives (`provider/model`, or `rules`). */
export type ModelResolver = (name: string) => Model;

/** One model call. A repeated attempt returns the reply that was kept, so that nobody pays or is asked twice. */
export async function decide(
  deps: { store: Store; resolveModel: ModelResolver },
  input: DecideInput,
  { runId, signal }: ActivityCall,
): Promise<DecideOutput> {
  const { store, resolveModel } = deps;
  const { sessionId, stepIndex, turn } = input;
  await write(store, sessionId, runId, input.bookkeeping);
  const { question, unknownCommits } = await questionFor(store, input);
  const kept = (await store.memory.repliesOf(sessionId, stepIndex)).find((reply) => reply.turn === turn);
  const ask = async (): Promise<ReplyRow> => {
    const answering = resolveModel(input.ai.model).decide(question, { signal });
    faultPoint('during-model-call', sessionId);
    return toReplyRow(input, await answering, question.look);
  };
  const row = kept ?? (await ask());
  if (kept === undefined) await store.memory.saveReply(sessionId, stepIndex, row);
  faultPoint('after-reply', sessionId);
  await store.log.append(sessionId, recordsOf(input, row), { guard: { runId } });

  const { decision, reasoning } = row.reply;
  return {
    decision: decision.action,
    message: decision.message,
    confidence: reasoning.confidence,
    reasoning: [reasoning.analysis, reasoning.rationale].filter((text) => text !== '').join('\n'),
    commands: row.commands,
    model: row.model,
    ...(unknownCommits.length === 0 ? {} : { unknownCommits, judgement: judgementOf(row.reply.context) }),
  };
}

/** Refs are resolved here, against the look they were read from: what is kept of a reply outlives that look. */
function toReplyRow(
  { sessionId, stepIndex, turn }: DecideInput,
  { reply, usage, model }: ModelAnswer,
  look: PageLook,
): ReplyRow {
  const parsed = AIResponseSchema.safeParse(reply);
  if (!parsed.success) {
    const issues = issuesOf(parsed.error);
    const told = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new EngineError('TL003', `The reply of ${model} does not fit the reply schema: ${told}`, {
      details: { issues },
    });
  }
  // One id per command, the same however often this reply is run.
  const planned = parsed.data.commands.map((command, position) =>
    toPlanned(command, `${sessionId}.${stepIndex}.${turn}.${position}`, look),
  );
  const commands = parsed.data.commands.map((command, position) => ({
    ...command,
    parameters: planned[position]!.parameters,
  }));
  return { turn, reply: { ...parsed.data, commands }, model, usage, commands: planned };
}

function toPlanned(command: AIResponse['commands'][number], commandId: string, look: PageLook): PlannedCommand {
  const { action, parameters } = command;
  const ref = parameters.selector === undefined ? undefined : refIn(parameters.selector);
  const target = ref === undefined ? undefined : durableTarget(look, ref);
  if (target === undefined) return { commandId, action, parameters };
  return { commandId, action, parameters: { ...parameters, selector: selectorText(target) }, target };
}

function recordsOf({ sessionId, stepIndex, turn }: DecideInput, { reply, model, usage }: ReplyRow): NewRecord[] {
  const { decision, reasoning, commands } = reply;
  const base = { owner: 'ai-integration', at: new Date().toISOString(), stepIndex, turn } as const;
  const id = `${sessionId}.${stepIndex}.${turn}`;
  return [
    {
      ...base,
      eventId: `${id}/reasoning`,
      type: StreamEventType.AI_REASONING,
      data: {
        reasoning: {
          thought: reasoning.analysis,
          confidence: reasoning.confidence,
          reasoningType: turn === 0 ? 'plan' : 'reflection',
          context: { rationale: reasoning.rationale, expectedOutcome: reasoning.expectedOutcome },
        },
      },
    },
    {
      ...base,
      eventId: `${id}/response`,
      type: StreamEventType.AI_RESPONSE_RECEIVED,
      data: {
        message: decision.message,
        details: { decision: decision.action, model, usage, commands: commands.map((command) => command.action) },
      },
    },
  ];
}
