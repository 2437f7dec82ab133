import { randomUUID } from 'node:crypto';
import type { AIGeneratedCommand, StepAction, StepParameters } from '../../contracts/commands/commands';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { ownersOf, type NewRecord } from '../../contracts/events/log';
import { parseStart, type SessionPlan } from '../../contracts/sessions/start-request';
import type { Step, StepInput } from '../../contracts/sessions/step-input';
import type { Store } from '../../store/store';

/** Values with defaults; a test names only what it is about. */

export function aCommand(
  action: StepAction = 'CLICK_ELEMENT',
  parameters: StepParameters = { selector: '#buy' },
): AIGeneratedCommand {
  return { action, parameters };
}

/** A reply as a model sends it: not parsed yet, so a verdict may be any text. */
export function aReply({
  decision = 'PROCEED',
  message = 'done',
  confidence = 0.9,
  commands = [],
}: {
  decision?: string;
  message?: string;
  confidence?: number;
  commands?: AIGeneratedCommand[];
}) {
  return {
    decision: { action: decision, message },
    reasoning: { analysis: 'I looked.', rationale: 'It fits.', expectedOutcome: 'a new page', confidence },
    commands,
  };
}

export function aRecord(eventId: string, change: Partial<NewRecord> = {}): NewRecord {
  const type = change.type ?? StreamEventType.WARNING_ISSUED;
  return {
    eventId,
    owner: ownersOf(type)[0]!,
    type,
    at: new Date().toISOString(),
    data: { message: eventId },
    ...change,
  };
}

export function aPlan(input: unknown = { steps: ['Open the shop'] }): SessionPlan {
  const parsed = parseStart(input);
  if (parsed.kind === 'invalid') throw new Error(`This plan is not valid: ${JSON.stringify(parsed.issues)}`);
  return parsed.plan;
}

/** A step as an activity gets it that asks this model. */
export function aStepFor(model: string, input: StepInput = 'Buy a bean'): Step {
  const { options, ...goal } = aPlan({ steps: [input] }).steps[0]!;
  return { ...goal, options: { ...options, aiConfig: { ...options.aiConfig, model } } };
}

/** A session's row with its own id, claimed by a run when one is named. */
export async function aSession(
  store: Store,
  options: { plan?: SessionPlan; runId?: string; isActive?: boolean } = {},
): Promise<string> {
  const sessionId = randomUUID();
  await store.sessions.create({ sessionId, workflowId: sessionId, plan: options.plan ?? aPlan() });
  if (options.runId !== undefined) await store.sessions.assignRun(sessionId, options.runId, undefined);
  if (options.isActive === true) await store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  return sessionId;
}
