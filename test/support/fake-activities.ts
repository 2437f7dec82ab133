import { isOnlyToBeJudged, isRunAtOnce } from '../../activities/steps/at-once';
import type { OneStep, StepOutput } from '../../activities/steps/decide-and-run-step';
import { followSteps } from '../../activities/steps/follow-steps';
import { ApplicationFailure, activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type {
  AcquireInput,
  BrowserActivities,
  ExploreInput,
  ExploreOutput,
  LookAtSiteInput,
  LookAtSiteOutput,
  ReleaseBrowserInput,
  Lease,
  RunCommandsInput,
  RunCommandsOutput,
} from '../../activities/signatures/browser-activities';
import type {
  AbandonedSession,
  AssessInput,
  AssessOutput,
  DecideInput,
  DecideOutput,
  EngineActivities,
  LeasedProfile,
  LeasedSecrets,
  SignInJudgement,
  OpenSessionInput,
  UnknownCommit,
  QueuePlace,
  QueuePositionInput,
} from '../../activities/signatures/engine-activities';
import type {
  TaskActivities,
  CancelledCall,
  ClientActivities,
  StoredOutcome,
  CommandOutcomeInput,
  EndCancelledCallInput,
  ExecuteToolInput,
  PlanCallInput,
  PlanStepCommandInput,
  PlannedStepCommand,
  PlanWayBackInput,
  WayBack,
  RunToolInput,
  StoreToolResultInput,
  ModelTurnInput,
  ModelTurnOutput,
  ToolEnd,
} from '../../activities/signatures/task-activities';
import type {
  LookInMailboxInput,
  LookInMailboxOutput,
  MailboxActivities,
} from '../../activities/signatures/mailbox-activities';
import type { ParallelActivities } from '../../activities/signatures/parallel-activities';
import type { RelayActivities, RelayCallInput } from '../../activities/signatures/relay-activities';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import type { Approval } from '../../contracts/approvals/approval';
import type { Revocation } from '../../contracts/approvals/remembered-approval';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { DecisionAction } from '../../contracts/models/ai-response';
import type { Budget } from '../../contracts/models/budget';
import type { OutboxBatch, ResolvedUnknown, RowPatch, StepSummary } from '../../contracts/events/outbox';
import { messageIssues } from '../../contracts/messages/message-issues';
import { planInput } from '../../activities/engine/sessions/plan-start';
import type { SessionPlan } from '../../contracts/sessions/start-request';
import type { Step } from '../../contracts/sessions/step-input';
import type { BrowserAction } from '../../contracts/commands/commands';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import { standardError, type StandardError } from '../../contracts/errors/standard-error';
import { PHASES } from '../../contracts/steps/investigation';
import type { NewRecord } from '../../contracts/events/log';
import type { RetrySettings } from '../../contracts/sessions/timeouts';
import { nextAttempt, refusalsOf } from '../../activities/activity/next-attempt';
import { hostQueue, workerQueue } from '../../contracts/queues';
import { sessionIdOf } from '../../store/sessions/session-id';
import { createFakeParallel } from './fake-parallel';

/** What a fake activity answers with: a value, a failure to throw, or code that decides when it is called. */
export type Answer<I, O> = O | ApplicationFailure | ((input: I, call: Call) => Promise<O>);

export interface Call {
  /** Aborts when the activity is asked to stop. */
  signal: AbortSignal;
  queue: string;
}

/** What the outside world of one session does; an activity that is called more often than scripted says so. */
export interface Script {
  decide?: Answer<DecideInput, DecideOutput>[];
  /** The call after a PROCEED whose commands all succeeded. Beyond the last one, the model judges that the step is done. */
  judge?: Answer<DecideInput, DecideOutput>[];
  runModelTurn?: Answer<ModelTurnInput, ModelTurnOutput>[];
  /** Beyond the last one, a call is planned as the reply had it, with the arguments that are given. */
  planCall?: Answer<PlanCallInput, PlannedCall>[];
  planWayBack?: Answer<PlanWayBackInput, WayBack>[];
  /** Beyond the last one, nothing is asked. */
  planStepCommand?: Answer<PlanStepCommandInput, PlannedStepCommand>[];
  /** Beyond the last one, every tool succeeds. */
  runTool?: Answer<RunToolInput, ToolEnd>[];
  getCommandOutcome?: Answer<CommandOutcomeInput, StoredOutcome>[];
  /** Beyond the last one, it was begun. */
  endCancelledCall?: Answer<EndCancelledCallInput, CancelledCall>[];
  executeTool?: Answer<ExecuteToolInput, BrowserToolResult>[];
  relayCall?: Answer<RelayCallInput, RelayCallOutput>[];
  /** Beyond the last one, every phase finds one element. */
  assess?: Answer<AssessInput, AssessOutput>[];
  explore?: Answer<ExploreInput, ExploreOutput>[];
  /** Beyond the last one, every command succeeds. */
  runCommands?: Answer<RunCommandsInput, RunCommandsOutput>[];
  /** Beyond the last one, nothing is there. */
  lookAtSite?: Answer<LookAtSiteInput, LookAtSiteOutput>[];
  /** Beyond the last one, the usual host and worker give a browser. */
  acquireBrowser?: Answer<AcquireInput, Lease>[];
  closeBrowser?: Answer<{ sessionId: string }, void>[];
  releaseBrowser?: Answer<ReleaseBrowserInput, void>[];
  publishEvents?: Answer<{ sessionId: string }, void>[];
  openSession?: Answer<OpenSessionInput, void>[];
  /** Beyond the last one, no other session goes on. */
  abandonSession?: Answer<{ error: StandardError; stepIndex: number }, AbandonedSession>[];
  /** The row is gone when the session begins. */
  isRowLost?: true;
  hasSearchAttributes?: boolean;
  decidesAtBrowser?: true;
  /** The worker may go on with the next steps by itself. */
  stepsInARow?: true;
  pauseReleaseMs?: number;
  defaultBudget?: Budget;
  /** SUREFOOT_MODEL_TIMEOUT_SECONDS of the workers, in milliseconds. */
  modelTimeoutMs?: number;
  mostBudget?: Budget;
  /** Beyond the last one, a host has taken the session's wish for a browser. */
  updateQueuePosition?: Answer<QueuePositionInput, QueuePlace | null>[];
  isHostGone?: boolean;
  /** Beyond the last one, the session has its profile. */
  leaseProfile?: LeasedProfile[];
  /** Beyond the last one, the session has its exclusive secrets. */
  leaseSecrets?: LeasedSecrets[];
  /** Beyond the last one, the question is answered. */
  lookInMailbox?: Answer<LookInMailboxInput, LookInMailboxOutput>[];
  /** Beyond the last one, the session is signed in. */
  judgeSignIn?: SignInJudgement[];
  /** Of steps that run at once, each as a session of its own. */
  steps?: Script[];
}

/** What one session did, in the order in which the activities were called. */
export interface Seen {
  /** Every call, browser calls with the queue they came by, e.g. `runCommands by worker`. */
  calls: string[];
  opened: OpenSessionInput[];
  asked: DecideInput[];
  /** The calls that `judge` answers. */
  judged: DecideInput[];
  batches: RunCommandsInput[];
  explored: ExploreInput[];
  assessed: AssessInput[];
  acquired: AcquireInput[];
  thought: ModelTurnInput[];
  replanned: PlanCallInput[];
  tools: RunToolInput[];
  executed: ExecuteToolInput[];
  relayed: RelayCallInput[];
  toolEnds: StoreToolResultInput[];
  stored: { steps: Step[]; firstIndex: number }[];
  /** Of a plain start, as the row has it. */
  plan?: SessionPlan;
  abandoned: StandardError[];
  /** The log as the store would have it: each event id once, in the order of arrival. */
  log: NewRecord[];
  patches: RowPatch[];
  stepResults: StepSummary[];
  resolutions: ResolvedUnknown[];
  revocations: Revocation[];
  /** As the store would have them: the newest state of each. */
  approvals: Approval[];
  /** Set by a test: the activities of this session stop beating, as those of a dead worker do. */
  isSilent: boolean;
}

export const HOST_QUEUE = hostQueue('fake-host');
export const WORKER_QUEUE = workerQueue('fake-worker');
/** Of the process that runs the tools of its user. */
export const CLIENT_QUEUE = 'fake-client';

export function aLease(change: Partial<Lease> = {}): Lease {
  return { hostId: 'fake-host', hostQueue: HOST_QUEUE, workerQueue: WORKER_QUEUE, epoch: 1, ...change };
}

export function planned(commandId: string, action: `${BrowserAction}` = 'CLICK_ELEMENT'): PlannedCommand {
  return { commandId, action: action as BrowserAction, parameters: { selector: '#buy' } };
}

export function says(
  decision: `${DecisionAction}`,
  commands: PlannedCommand[] = [],
  change: Partial<DecideOutput> = {},
): DecideOutput {
  return {
    decision: decision as DecisionAction,
    message: `${decision} it is`,
    confidence: 0.9,
    reasoning: `because ${decision}`,
    commands,
    model: 'fake',
    ...change,
  };
}

/** A click on Place order that nobody saw end, as `decide` reports it. */
export function anUnknown(change: Partial<UnknownCommit> = {}): UnknownCommit {
  return {
    commandId: 'c1',
    action: 'CLICK_ELEMENT',
    what: 'button "Place order"',
    target: { role: 'button', name: 'Place order' },
    urlBefore: 'https://shop.test/checkout',
    urlAfter: 'https://shop.test/checkout',
    eventDelivered: true,
    requests: [{ method: 'POST', url: 'https://shop.test/orders' }],
    isJudged: false,
    ...change,
  };
}

/** A reply with calls, or with the answer when there are none. */
export function thinks(
  text: string,
  calls: PlannedCall[] = [],
  change: Partial<ModelTurnOutput> = {},
): ModelTurnOutput {
  const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0 };
  return { kind: calls.length === 0 ? 'answer' : 'calls', text, calls, model: 'fake', usage, ...change };
}

/** A click in the session's own browser, unless `change` says otherwise. */
export function aCall(callId: string, change: Partial<PlannedCall> = {}): PlannedCall {
  const name = change.name ?? 'computer';
  return {
    callId,
    name,
    args: { action: 'left_click', ref: 'e1' },
    hash: `hash of ${callId}`,
    classification: 'write',
    effect: 'commit',
    run: { kind: 'browser', command: planned(`command of ${callId}`) },
    scope: { tool: name },
    ...change,
  };
}

/** A call of a tool of the engine workers. */
export function aToolCall(callId: string, name: string, change: Partial<PlannedCall> = {}): PlannedCall {
  const run = { kind: 'tool', isFree: false, timeoutMs: 5000 } as const;
  return aCall(callId, { name, args: {}, run, scope: { tool: name }, ...change });
}

/** Every command with this outcome; `isInterrupted` as the worker would say it after a pause. */
export function ran(
  input: RunCommandsInput,
  status: 'done' | 'failed' | 'unknown' = 'done',
  isInterrupted = false,
): RunCommandsOutput {
  return {
    outcomes: input.commands.map(({ commandId }) => ({ commandId, status })),
    isInterrupted,
    lease: input.lease,
    page: { screenshotId: 'shot', url: 'https://shop.test/' },
  };
}

/** A phase whose tools all saw something. */
export function explored(input: ExploreInput, isInterrupted = false): ExploreOutput {
  const { tools } = PHASES.find(({ phase }) => phase === input.phase)!;
  return { lease: input.lease, toolsUsed: isInterrupted ? [] : [...tools], isInterrupted };
}

export function assessed(change: Partial<AssessOutput> = {}): AssessOutput {
  return { focus: [], elementsDiscovered: 1, confidence: 0.9, readyForAction: true, learnt: [], ...change };
}

/** A failure as activities/activity/failures.ts makes it of what the outside world refused; one with a type of ours is final. */
export function failing(code: ErrorCode, message = `it failed with ${code}`, type: string = code): ApplicationFailure {
  const record = standardError({ id: code, timestamp: new Date(0), code, message });
  const error = type === code ? record : { ...record, retryable: false };
  return ApplicationFailure.create({ message, type, nonRetryable: true, details: [error] });
}

/** Resolves when the activity is asked to stop. */
export function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** A batch that works until it is asked to stop, and then returns what it has. */
export const untilStopped: Answer<RunCommandsInput, RunCommandsOutput> = async (input, { signal }) => {
  await stopped(signal);
  return ran(input, 'done', true);
};

/** An answer that the test gives when it wants to; `asked` resolves when the activity has been called. */
export function held<I, O>(): { answer: (input: I) => Promise<O>; asked: Promise<I>; give: (value: O) => void } {
  const asked = Promise.withResolvers<I>();
  const given = Promise.withResolvers<O>();
  return {
    answer: (input) => {
      asked.resolve(input);
      return given.promise;
    },
    asked: asked.promise,
    give: given.resolve,
  };
}

export interface FakeActivities {
  engine: EngineActivities & TaskActivities & RelayActivities & MailboxActivities;
  parallel: ParallelActivities;
  browser: BrowserActivities;
  client: ClientActivities;
  script(workflowId: string, script: Script): Seen;
  /** Ends what never ends by itself, so that the workers can be stopped. */
  stop(): void;
}

/** Activities for every session that has a script under its workflow id. */
export function createFakeActivities(cancel: (workflowId: string) => Promise<unknown>): FakeActivities {
  const worlds = new Map<string, World>();
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  const world = (): World => {
    const { workflowId } = activityInfo().workflowExecution!;
    const found = worlds.get(workflowId);
    if (found === undefined) throw ApplicationFailure.nonRetryable(`There is no script for the session ${workflowId}.`);
    return found;
  };
  /** The worker decides, runs and judges one step, as decide-and-run-step.ts does. */
  const decideAndRunStep = async (
    { lease, executor, judgesPage, once, judges, ...asked }: OneStep,
    isTimeFor: (commands: readonly PlannedCommand[]) => boolean = () => true,
  ): Promise<StepOutput> => {
    const [next] = world().script.decide ?? [];
    const isFree = (next as DecideOutput | undefined)?.model === 'recipe';
    if (asked.step.options.aiConfig.model !== 'rules' && !isFree) return {};
    const decided = await fakes.engine.decide(asked);
    if (!isRunAtOnce(decided, asked.mayAct) || !isTimeFor(decided.commands)) return { decided };
    const { sessionId, stepIndex, turn, step } = asked;
    const outbox = { records: [], patch: {}, stepResults: [] };
    const more = { ...(judgesPage === undefined ? {} : { judgesPage }), ...(once === undefined ? {} : { once }) };
    const batch = { sessionId, stepIndex, turn, lease, executor, commands: decided.commands, outbox, ...more };
    const output = { decided, ran: await fakes.browser.runCommands(batch) };
    if (judges !== true || !isOnlyToBeJudged(decided, output.ran, step.options.reflectionEnabled)) return output;
    return { ...output, judged: await fakes.engine.decide({ ...asked, turn: turn + 1, outbox }) };
  };
  const script: FakeActivities['script'] = (workflowId, given) => {
    const made = createWorld(given, stopped.promise);
    worlds.set(workflowId, made);
    return made.seen;
  };
  const find = (sessionId: string): World | undefined =>
    [...worlds].find(([workflowId]) => sessionIdOf(workflowId) === sessionId)?.[1];
  const fakes: FakeActivities = {
    script,
    parallel: createFakeParallel({ find, script }),
    stop: () => stopped.reject(new Error('The test is over.')),
    engine: {
      async openSession(input) {
        const { seen, write, script, answer } = world();
        seen.calls.push('openSession');
        seen.opened.push(input);
        if (script.isRowLost === true && input.hasPlan === true) return null;
        await answer('openSession', input, () => undefined);
        write(input.outbox);
        const { workflowId } = activityInfo().workflowExecution!;
        return {
          sessionId: sessionIdOf(workflowId),
          defaultModel: 'rules',
          connectionModels: { 'team-a': 'ai:openai/gpt-5', default: 'rules' },
          hasSearchAttributes: script.hasSearchAttributes ?? false,
          ...(script.decidesAtBrowser === true ? { decidesAtBrowser: true } : {}),
          ...(script.stepsInARow === true ? { stepsInARow: true } : {}),
          pauseReleaseMs: script.pauseReleaseMs ?? 0,
          ...(script.modelTimeoutMs === undefined ? {} : { modelTimeoutMs: script.modelTimeoutMs }),
          ...(script.defaultBudget === undefined ? {} : { defaultBudget: script.defaultBudget }),
          ...(script.mostBudget === undefined ? {} : { mostBudget: script.mostBudget }),
        };
      },
      async planStart({ input }) {
        const planned = planInput(input);
        if (planned.kind === 'invalid') return planned;
        const { plan, start } = planned;
        world().seen.plan = { ...plan };
        return { kind: 'valid', start };
      },
      async readStep({ stepIndex }) {
        const { seen } = world();
        seen.calls.push('readStep');
        return seen.plan!.steps[stepIndex]!;
      },
      async readSteps({ stepIndex, count }) {
        const { seen } = world();
        seen.calls.push(`readSteps ${stepIndex}`);
        return seen.plan!.steps.slice(stepIndex, stepIndex + count);
      },
      newestStep: () => {
        const newest = world().seen.patches.findLast(({ currentStep }) => currentStep !== undefined);
        return Promise.resolve(newest?.currentStep ?? 0);
      },
      async checkMessage({ kind, input }) {
        return messageIssues(kind, input, world().seen.plan!.config);
      },
      async decide(input) {
        const { seen, write, answer, proceeding } = world();
        const isJudging = proceeding.hasSucceeded && proceeding.stepIndex === input.stepIndex;
        seen.calls.push(isJudging ? 'judge' : 'decide');
        (isJudging ? seen.judged : seen.asked).push(input);
        write(input.outbox);
        const reply = isJudging
          ? await answer<DecideInput, DecideOutput>('judge', input, () => says('PROCEED'))
          : await answer<DecideInput, DecideOutput>('decide', input);
        const { decision, commands, hasRepeats } = reply;
        const isProceeding = decision === 'PROCEED' && commands.length > 0 && hasRepeats !== true;
        Object.assign(proceeding, { stepIndex: input.stepIndex, isProceeding, hasSucceeded: false });
        return reply;
      },
      async assess(input) {
        const { seen, write, answer } = world();
        seen.calls.push(`assess ${input.phase}`);
        seen.assessed.push(input);
        write(input.outbox);
        return await answer('assess', input, () => assessed());
      },
      async publishEvents({ sessionId, outbox }) {
        const { seen, write, answer } = world();
        seen.calls.push('publishEvents');
        await answer('publishEvents', { sessionId }, () => undefined);
        write(outbox);
      },
      async abandonSession(input) {
        const { seen, answer } = world();
        seen.calls.push('abandonSession');
        seen.abandoned.push(input.error);
        return await answer('abandonSession', input, () => ({}));
      },
      async requestCancel() {
        world().seen.calls.push('requestCancel');
        await cancel(activityInfo().workflowExecution!.workflowId);
      },
      async updateQueuePosition(input) {
        const { seen, answer } = world();
        seen.calls.push('updateQueuePosition');
        return await answer('updateQueuePosition', input, () => null);
      },
      async leaseProfile({ profile }) {
        const { seen, script } = world();
        seen.calls.push(`leaseProfile ${profile.name}`);
        return script.leaseProfile?.shift() ?? { kind: 'leased', version: 1 };
      },
      async leaseSecrets() {
        const { seen, script } = world();
        seen.calls.push('leaseSecrets');
        return script.leaseSecrets?.shift() ?? { kind: 'leased' };
      },
      async lookInMailbox(input) {
        const { seen, answer } = world();
        seen.calls.push(`lookInMailbox ${input.questionId}`);
        return await answer('lookInMailbox', input, () => ({}));
      },
      async judgeSignIn({ outbox }) {
        const { seen, write, script } = world();
        seen.calls.push('judgeSignIn');
        write(outbox);
        return script.judgeSignIn?.shift() ?? 'signed-in';
      },
      async isHostGone() {
        const { seen, script } = world();
        seen.calls.push('isHostGone');
        return script.isHostGone ?? true;
      },
      async storeSteps({ steps, firstIndex }) {
        const { seen } = world();
        seen.calls.push('storeSteps');
        seen.stored.push({ steps, firstIndex });
        if (seen.plan !== undefined) seen.plan.steps = [...seen.plan.steps, ...steps];
      },
      async runModelTurn(input) {
        const { seen, write, answer } = world();
        seen.calls.push('runModelTurn');
        seen.thought.push(input);
        write(input.outbox);
        const reply = await answer<ModelTurnInput, ModelTurnOutput>('runModelTurn', input);
        for (const call of reply.calls) seen.planned.set(call.callId, call);
        return reply;
      },
      async planCall(input) {
        const { seen, answer } = world();
        seen.calls.push('planCall');
        seen.replanned.push(input);
        const known = seen.planned.get(input.callId)!;
        return await answer('planCall', input, () => ({ ...known, args: input.args ?? known.args }));
      },
      async runTool(input) {
        const { seen, write, answer } = world();
        seen.calls.push(`runTool ${input.name}`);
        seen.tools.push(input);
        write(input.outbox);
        return await answer('runTool', input, () => ({ status: 'success', summary: 'done', durationMs: 1 }));
      },
      async getCommandOutcome(input) {
        const { seen, answer } = world();
        seen.calls.push('getCommandOutcome');
        return await answer('getCommandOutcome', input, () => ({ status: 'unrun' }));
      },
      async endCancelledCall(input) {
        const { seen, write, answer } = world();
        seen.calls.push('endCancelledCall');
        write(input.outbox);
        return await answer('endCancelledCall', input, () => 'stopped');
      },
      async planStepCommand(input) {
        const { seen, answer } = world();
        seen.calls.push('planStepCommand');
        const { commands } = input;
        const call = aCall(`call of ${commands[0]!.commandId}`);
        return await answer('planStepCommand', input, () => ({ count: commands.length, asks: false, call }));
      },
      async planWayBack(input) {
        const { seen, answer } = world();
        seen.calls.push('planWayBack');
        return await answer('planWayBack', input, () => ({}));
      },
      async endOpenCalls({ callIds, outbox }) {
        const { seen, write } = world();
        seen.calls.push(`endOpenCalls ${callIds.join()}`.trim());
        write(outbox);
      },
      async beginCall({ call, outbox }) {
        const { seen, write } = world();
        seen.calls.push(`beginCall ${call.name}`);
        write(outbox);
        return { args: call.args };
      },
      async storeToolResult(input) {
        const { seen, write } = world();
        seen.calls.push(`storeToolResult ${input.toolName}`);
        seen.toolEnds.push(input);
        write(input.outbox);
        const { result, durationMs, isUnknown } = input;
        const status = result.success ? 'success' : 'error';
        return { status, summary: 'kept', durationMs, ...(isUnknown === true ? { isUnknown: true as const } : {}) };
      },
      async relayCall(input) {
        const { seen, answer } = world();
        seen.calls.push(`relayCall ${input.tool}`);
        seen.relayed.push(input);
        return await answer('relayCall', input, () => ({ requestId: input.callId, success: true, output: 'ok' }));
      },
    },
    client: {
      async askTool(input) {
        world().seen.calls.push(`askTool ${input.name}`);
        return {};
      },
      async executeTool(input) {
        const { seen, answer } = world();
        seen.calls.push(`executeTool ${input.name}`);
        seen.executed.push(input);
        return await answer('executeTool', input, () => ({ success: true, output: 'ok' }));
      },
    },
    browser: {
      async acquireBrowser(input) {
        const { seen, answer } = world();
        seen.calls.push('acquireBrowser');
        seen.acquired.push(input);
        const epoch = seen.calls.filter((call) => call === 'acquireBrowser').length;
        return await answer('acquireBrowser', input, () => aLease({ epoch }));
      },
      async runCommands(input) {
        const { seen, write, answer, proceeding } = world();
        seen.calls.push(`runCommands by ${route()}`);
        seen.batches.push(input);
        write(input.outbox);
        const result = await answer<RunCommandsInput, RunCommandsOutput>('runCommands', input, () => ran(input));
        const { outcomes, isInterrupted } = result;
        const isWhole =
          !isInterrupted && input.commands.length > 0 && outcomes.every(({ status }) => status === 'done');
        proceeding.hasSucceeded = isWhole && proceeding.isProceeding;
        return result;
      },
      async lookAtSite(input) {
        const { seen, write, answer } = world();
        seen.calls.push(`lookAtSite by ${route()}`);
        write(input.outbox);
        const { lease } = input;
        const found = { finding: 'not-there', seen: 'Nothing is there.', url: 'http://shop/orders' } as const;
        return await answer('lookAtSite', input, () => ({ lease, found }));
      },
      async decideAndRun({ ahead, ...input }) {
        const { seen, write } = world();
        seen.calls.push(`decideAndRun by ${route()}`);
        const first = await decideAndRunStep(input);
        if (ahead === undefined) return first;
        const work = {
          run: decideAndRunStep,
          write: (between: OutboxBatch) => Promise.resolve(write(between)),
          mayGoOn: () => !cancellationSignal().aborted,
        };
        return { ...first, followed: await followSteps(input, ahead, { ...first, tookMs: 0 }, work) };
      },
      async explore(input) {
        const { seen, write, answer } = world();
        seen.calls.push(`explore ${input.phase} by ${route()}`);
        seen.explored.push(input);
        write(input.outbox);
        return await answer('explore', input, () => explored(input));
      },
      async captureFailure() {
        world().seen.calls.push(`captureFailure by ${route()}`);
        return { screenshotId: 'failure-shot', url: 'https://shop.test/failed' };
      },
      async releaseBrowser(input) {
        const { seen, answer } = world();
        seen.calls.push(`releaseBrowser by ${route()}`);
        await answer('releaseBrowser', input, () => undefined);
      },
      async closeBrowser(input) {
        const { seen, answer } = world();
        seen.calls.push(`closeBrowser by ${route()}`);
        await answer('closeBrowser', input, () => undefined);
      },
    },
  };
  return fakes;
}

function route(): string {
  const { taskQueue } = activityInfo();
  return taskQueue === HOST_QUEUE ? 'host' : taskQueue === WORKER_QUEUE ? 'worker' : taskQueue;
}

type Scripted =
  | 'lookInMailbox'
  | 'openSession'
  | 'abandonSession'
  | 'decide'
  | 'judge'
  | 'runModelTurn'
  | 'planCall'
  | 'planStepCommand'
  | 'planWayBack'
  | 'runTool'
  | 'getCommandOutcome'
  | 'endCancelledCall'
  | 'executeTool'
  | 'relayCall'
  | 'assess'
  | 'explore'
  | 'lookAtSite'
  | 'runCommands'
  | 'acquireBrowser'
  | 'releaseBrowser'
  | 'closeBrowser'
  | 'publishEvents'
  | 'updateQueuePosition';
type World = ReturnType<typeof createWorld>;

function createWorld(script: Script, stopped: Promise<never>) {
  const seen: Seen & { planned: Map<string, PlannedCall> } = {
    planned: new Map(),
    thought: [],
    replanned: [],
    tools: [],
    executed: [],
    relayed: [],
    toolEnds: [],
    approvals: [],
    calls: [],
    opened: [],
    asked: [],
    judged: [],
    batches: [],
    explored: [],
    assessed: [],
    acquired: [],
    stored: [],
    abandoned: [],
    log: [],
    patches: [],
    stepResults: [],
    resolutions: [],
    revocations: [],
    isSilent: false,
  };
  const given: Record<Scripted, number> = {
    openSession: 0,
    abandonSession: 0,
    decide: 0,
    judge: 0,
    runModelTurn: 0,
    planCall: 0,
    planStepCommand: 0,
    planWayBack: 0,
    runTool: 0,
    getCommandOutcome: 0,
    endCancelledCall: 0,
    executeTool: 0,
    relayCall: 0,
    assess: 0,
    explore: 0,
    lookAtSite: 0,
    runCommands: 0,
    acquireBrowser: 0,
    releaseBrowser: 0,
    closeBrowser: 0,
    publishEvents: 0,
    updateQueuePosition: 0,
    lookInMailbox: 0,
  };
  return {
    seen,
    script,
    /** The newest reply, and whether its commands have all succeeded. */
    proceeding: { stepIndex: -1, isProceeding: false, hasSucceeded: false },
    write({ records, patch, stepResults, resolutions = [], approvals = [], revocations = [] }: OutboxBatch): void {
      for (const approval of approvals) {
        const others = seen.approvals.filter((each) => each.approvalId !== approval.approvalId);
        seen.approvals = [...others, approval];
      }
      seen.revocations.push(...revocations);
      const known = new Set(seen.log.map((record) => record.eventId));
      seen.log.push(...records.filter((record) => !known.has(record.eventId)));
      seen.patches.push(patch);
      seen.resolutions.push(...resolutions);
      const written = new Set(seen.stepResults.map((result) => result.stepIndex));
      seen.stepResults.push(...stepResults.filter((result) => !written.has(result.stepIndex)));
    },
    async answer<I, O>(name: Scripted, input: I, otherwise?: () => O): Promise<O> {
      const answers = (script[name] ?? []) as Answer<I, O>[];
      const number = given[name];
      given[name] += 1;
      const next = answers[number];
      if (number >= answers.length) {
        if (otherwise !== undefined) return otherwise();
        throw ApplicationFailure.nonRetryable(`${name} was asked ${number + 1} times, scripted ${answers.length}.`);
      }
      const refusals = refusalsOf(activityInfo().heartbeatDetails);
      const beating = setInterval(() => seen.isSilent || heartbeat({ refusals }), 100);
      heartbeat({ refusals });
      try {
        if (next instanceof ApplicationFailure) {
          // As every activity does it (activities/activity/activity.ts).
          const { retries } = input as { retries?: RetrySettings };
          const again = retries && nextAttempt(next, retries, refusals);
          if (again !== undefined) heartbeat({ refusals: refusals + 1 });
          throw again ?? next;
        }
        if (typeof next !== 'function') return next as O;
        const given = (next as (input: I, call: Call) => Promise<O>)(input, {
          signal: cancellationSignal(),
          queue: activityInfo().taskQueue,
        });
        return await Promise.race([given, stopped]);
      } finally {
        clearInterval(beating);
      }
    },
  };
}
