import { messageIssues } from '../../../contracts/messages/message-issues';
import type { MessageWithInput } from '../../../contracts/messages/messages';
import type { Issue } from '../../../contracts/errors/issues';
import { toCarriedStep } from '../../../contracts/sessions/carried-steps';
import type { AddStepsRequest } from '../../../contracts/sessions/start-request';
import type { Step, StepReference } from '../../../contracts/sessions/step-input';
import { toSteps } from '../../../contracts/sessions/to-steps';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { Store } from '../../../store/store';
import { addedStepsIssues } from '../../../runtime/schemas/added-steps';
import { EngineError } from '../../activity/failures';
import type { OpenSessionDeps } from './open-session';

/** Writes added steps to the plan, those that the workflow knows by reference with their whole text. */
export async function storeSteps(
  store: Store,
  { sessionId, steps, firstIndex }: { sessionId: string; steps: Step[]; firstIndex: number },
): Promise<void> {
  const row = await requireRow(store, sessionId);
  const whole: Step[] = [];
  for (const step of steps) whole.push(await wholeStep(store, row, step));
  await store.sessions.addSteps(sessionId, whole, firstIndex);
}

interface StepPlace {
  sessionId: string;
  stepIndex: number;
  textIn: StepReference;
}

/** Reads the text of a step that the workflow carries by reference: its images never enter a history. */
export async function readStep(store: Store, place: StepPlace): Promise<Step> {
  const { task, ...step } = await readWholeStep(store, place);
  if (task === undefined) return step;
  const { images: _images, ...rest } = task;
  return { ...step, task: rest };
}

/** Reads steps of the plan, at least one, as the workflow carries them: long ones by reference. */
export async function readSteps(
  store: Store,
  { sessionId, stepIndex, count }: { sessionId: string; stepIndex: number; count: number },
): Promise<Step[]> {
  const { plan } = await requireRow(store, sessionId);
  const steps = plan.steps.slice(stepIndex, stepIndex + count);
  if (steps.length === 0) throw noSuchStep(sessionId, stepIndex);
  return steps.map((step) => toCarriedStep(step, 'plan'));
}

/** Reads the whole of a step that the workflow carries by reference. */
export async function readWholeStep(store: Store, { sessionId, stepIndex, textIn }: StepPlace): Promise<Step> {
  const row = await requireRow(store, sessionId);
  const step = textIn === 'plan' ? row.plan.steps[stepIndex] : await stepOfMessage(store, row, textIn);
  if (step === undefined) throw noSuchStep(sessionId, stepIndex);
  return step;
}

function noSuchStep(sessionId: string, stepIndex: number): EngineError {
  return new EngineError('CM004', `Session ${sessionId} has no step ${stepIndex + 1} in its plan.`);
}

/** The index of the newest step that was begun, as the session's row has it with the log. */
export async function newestStep(store: Store, sessionId: string): Promise<number> {
  return (await requireRow(store, sessionId)).currentStep;
}

/** What is wrong with the input of a message to a session, or goes below a floor. */
export async function checkMessage(
  { store, ...limits }: Pick<OpenSessionDeps, 'store' | 'floors' | 'connections'>,
  { sessionId, kind, input }: { sessionId: string; kind: MessageWithInput; input: unknown },
): Promise<Issue[]> {
  const { config } = (await requireRow(store, sessionId)).plan;
  const issues = messageIssues(kind, input, config);
  if (kind !== 'addSteps' || issues.length > 0) return issues;
  const { invalid, belowFloor } = await addedStepsIssues(input as AddStepsRequest, config, limits);
  return [...invalid, ...belowFloor];
}

async function wholeStep(store: Store, row: SessionRow, step: Step): Promise<Step> {
  const { textIn } = step;
  return textIn === undefined || textIn === 'plan' ? step : ((await stepOfMessage(store, row, textIn)) ?? step);
}

async function stepOfMessage(
  store: Store,
  { plan }: SessionRow,
  { messageId, index }: Exclude<StepReference, 'plan'>,
): Promise<Step | undefined> {
  const message = await store.controlMessages.get(messageId);
  return message === null ? undefined : toSteps([(message.input as AddStepsRequest).steps[index]!], plan.config)[0];
}

async function requireRow(store: Store, sessionId: string): Promise<SessionRow> {
  const row = await store.sessions.get(sessionId);
  if (row === null) throw new EngineError('CM001', `There is no session ${sessionId}.`);
  return row;
}
