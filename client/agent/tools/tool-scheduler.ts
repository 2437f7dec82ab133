import { approvalNeed, covers, rememberedApprovalOf } from '../../../contracts/approvals/approval-policy';
import type { RememberedApproval } from '../../../contracts/approvals/remembered-approval';
import type { ConfirmationCard } from '../../../contracts/approvals/approval';
import type { ILogger } from '../../../contracts/tasks/chat';
import {
  ToolCallStatus,
  type IConfirmHandler,
  type IToolCall,
  type IToolCallRequestInfo,
  type IToolScheduler,
  type IToolSchedulerConfig,
  type IWaitingToolCall,
  type ToolExecutionDoneCallback,
  type ToolExecutionStartCallback,
} from '../../../contracts/tools/tool-call';
import type { ITool, ToolCallConfirmationDetails, ToolConfirmationPayload } from '../../../contracts/tools/tool';
import { ToolConfirmationOutcome } from '../../../contracts/approvals/confirmation-outcome';
import type { ClientClearance } from '../../../contracts/tools/client-question';
import { confirmWith } from './asked-calls';
import { toCallFacts, validateArguments, abortReason } from './call-checks';
import { callSafely } from '../call-safely';
import { createAgentLogger } from '../logger';
import { ScheduledCall } from './scheduled-call';
import { runToolCall, type Retries } from './run-call';
import { errorMessage } from '../../../contracts/errors/error-message';

export interface ToolSchedulerConfig extends IToolSchedulerConfig {
  /** S2.A11; a call waits without limit if undefined. */
  approvalTimeoutMs?: number | undefined;
  /** S2.34: decides waiting calls, beside callers of handleConfirmationResponse; the first decision counts. */
  confirm?: IConfirmHandler | undefined;
  /** S2.A18; no retries if undefined. */
  retries?: Retries | undefined;
  logger?: ILogger | undefined;
}

interface Callbacks {
  /** A person has been asked elsewhere: nobody is asked here. */
  clearance?: (ClientClearance & { details?: ToolCallConfirmationDetails | undefined }) | undefined;
  /** Awaited before a confirmation is requested, and before the call runs; the call fails when one of them throws. */
  beforeConfirmation?: () => Promise<void>;
  beforeExecution?: () => Promise<void>;
  onExecutionStart?: ToolExecutionStartCallback;
  onExecutionDone?: ToolExecutionDoneCallback;
}

/** Calls that were scheduled together. */
type Batch = readonly ScheduledCall[];

/**
 * S2.41 for tools of this process. A batch is validated, then confirmed where that is needed; when all its calls are
 * decided, the approved ones run in parallel (S2.A8). Remembered approvals (S2.A2) live as long as this scheduler, so use
 * one scheduler per session.
 */
export class ToolScheduler implements IToolScheduler {
  private readonly tools = new Map<string, ITool>();
  private readonly running = new Set<Batch>();
  /** Calls that have ended since the scheduler was last idle. */
  private ended: ScheduledCall[] = [];
  private keptApprovals: RememberedApproval[] = [];
  /** Calls whose decision is being passed to the tool: a second decision is too late. */
  private readonly decided = new WeakSet<ScheduledCall>();
  protected readonly logger: ILogger;

  constructor(private readonly config: ToolSchedulerConfig = {}) {
    this.logger = config.logger ?? createAgentLogger();
    for (const tool of config.tools ?? []) this.registerTool(tool);
  }

  async schedule(
    request: IToolCallRequestInfo | IToolCallRequestInfo[],
    signal: AbortSignal,
    callbacks: Callbacks = {},
  ): Promise<void> {
    const requests = [request].flat();
    if (requests.length === 0) return;
    if (this.running.size === 0) this.ended = [];
    const batch = requests.map((each) => this.toCall(each, callbacks));
    const taken = batch.map((call, index) => this.isDuplicate(call, batch.slice(0, index)));
    this.running.add(batch);
    this.notifyUpdate();
    batch.forEach((call, index) => this.rejectUnrunnable(call, taken[index]!));
    const cancel = (): void => batch.forEach((call) => call.cancel(abortReason(signal)));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    await Promise.all(batch.map((call) => this.confirm(call, callbacks)));
    await Promise.all(batch.map((call) => this.execute(call, callbacks)));
    signal.removeEventListener('abort', cancel);
    this.running.delete(batch);
    this.ended.push(...batch);
    const { onAllToolCallsComplete } = this.config;
    callSafely(this.logger, 'onAllToolCallsComplete', () =>
      onAllToolCallsComplete?.(batch.map((call) => call.completed())),
    );
  }

  async handleConfirmationResponse(
    callId: string,
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<void> {
    const call = this.openCalls().find(({ request }) => request.callId === callId);
    if (call?.status !== ToolCallStatus.AwaitingApproval || this.decided.has(call)) {
      const state = call === undefined ? 'no such call is open' : `it is ${call.status}`;
      this.logger.debug(`A decision about ${callId} was ignored: ${state}.`);
      return;
    }
    const isCleared = await this.applyDecision(call, outcome, payload);
    const kept = isCleared ? rememberedApprovalOf(outcome, toCallFacts(call, call.details)) : undefined;
    if (kept === undefined) return;
    this.keptApprovals.push(kept);
    const covered = this.openCalls().filter(
      (other) => this.isWaiting(other) && covers(kept, toCallFacts(other, other.details)),
    );
    await Promise.all(covered.map((other) => this.applyDecision(other, outcome)));
  }

  registerTool(tool: ITool): void {
    this.tools.set(tool.name, tool);
  }

  removeTool(toolName: string): boolean {
    return this.tools.delete(toolName);
  }

  getTool(name: string): ITool | undefined {
    return this.tools.get(name);
  }

  getToolList(): ITool[] {
    return [...this.tools.values()];
  }

  /** Lists the calls of all running batches, and those that have ended since the scheduler was last idle. */
  getCurrentToolCalls(): IToolCall[] {
    const calls = [...this.ended, ...this.openCalls()];
    // A call of an unknown tool is listed only when it has ended.
    return calls.filter(({ tool, isEnded }) => tool !== undefined || isEnded).map((call) => call.snapshot());
  }

  isRunning(): boolean {
    return this.running.size > 0;
  }

  /** Cancels one call (S2.R13 cancels all). Resolves to false where no call of this id is running or waiting. */
  async cancelCall(callId: string, reason: string): Promise<boolean> {
    const call = this.openCalls().find((each) => each.request.callId === callId && !each.isEnded);
    return call?.cancel(reason) ?? false;
  }

  cancelAll(reason: string): void {
    for (const call of this.openCalls()) call.cancel(reason);
  }

  private openCalls(): ScheduledCall[] {
    return [...this.running].flat();
  }

  private isWaiting(call: ScheduledCall): boolean {
    return call.status === ToolCallStatus.AwaitingApproval && !this.decided.has(call);
  }

  private isDuplicate({ request }: ScheduledCall, before: Batch): boolean {
    return [...before, ...this.openCalls()].some((other) => other.request.callId === request.callId && !other.isEnded);
  }

  private toCall(request: IToolCallRequestInfo, callbacks: Callbacks): ScheduledCall {
    return new ScheduledCall(request, this.tools.get(request.name), (call) => {
      this.notifyUpdate();
      if (!call.isEnded) return;
      const { response, durationMs } = call.completed();
      callSafely(this.logger, 'onExecutionDone', () => callbacks.onExecutionDone?.(call.request, response, durationMs));
    });
  }

  protected notifyUpdate(): void {
    const { onToolCallsUpdate } = this.config;
    callSafely(this.logger, 'onToolCallsUpdate', () => onToolCallsUpdate?.(this.getCurrentToolCalls()));
  }

  /** Fails calls of unknown tools and with an id in use, before any confirmation (S2.A7, S2.A17). */
  private rejectUnrunnable(call: ScheduledCall, isTaken: boolean): void {
    const { name, callId } = call.request;
    if (call.tool === undefined) {
      const names = [...this.tools.keys()].join(', ') || 'none';
      call.fail(new Error(`Tool "${name}" not found in registry. There are: ${names}.`));
    } else if (isTaken) {
      call.fail(new Error(`A call with the id ${callId} is under way already; every call needs an id of its own.`));
    }
  }

  private async confirm(
    call: ScheduledCall,
    { beforeConfirmation: beforeQuestion, clearance }: Callbacks,
  ): Promise<void> {
    if (call.isEnded) return;
    const problem = validateArguments(call);
    if (problem !== undefined) return void call.fail(problem);
    if (clearance !== undefined) return await this.pass(call, clearance);
    try {
      const details = await Promise.race([this.detailsOf(call), call.ended.then(() => false as const)]);
      const card = details === false ? undefined : (details as ConfirmationCard);
      const facts = toCallFacts(call, details === false ? undefined : details);
      const need = approvalNeed(this.config.approvalMode ?? 'default', facts, card, this.keptApprovals);
      if (need.kind === 'none') return void call.schedule();
      if (beforeQuestion !== undefined) await beforeQuestion();
      if (!call.awaitApproval(details === false ? { ...need.card, onConfirm: async () => {} } : details)) return;
    } catch (error) {
      return void call.fail(new Error(`The confirmation could not be requested: ${errorMessage(error)}`));
    }
    await this.waitForAnswer(call);
  }

  /** Passes the answer that was given elsewhere to the tool, once (S2.A16). */
  private async pass(call: ScheduledCall, clearance: NonNullable<Callbacks['clearance']>): Promise<void> {
    const { outcome, newContent, details: asked } = clearance;
    try {
      const details = outcome === undefined ? false : (asked ?? (await this.detailsOf(call)));
      if (outcome !== undefined && details !== false) {
        call.outcome = outcome;
        await confirmWith(details, outcome, newContent === undefined ? undefined : { newContent });
      }
    } catch (error) {
      return void call.fail(new Error(`The decision could not be passed to the tool: ${errorMessage(error)}`));
    }
    call.schedule();
  }

  private async detailsOf({ tool, request, signal }: ScheduledCall): Promise<ToolCallConfirmationDetails | false> {
    return this.config.approvalMode === 'yolo' ? false : await tool!.shouldConfirmExecute(request.args, signal);
  }

  /** Waits until the call is decided, cancelled or expired. */
  private async waitForAnswer(call: ScheduledCall): Promise<void> {
    const { approvalTimeoutMs, confirm } = this.config;
    // An expired approval is not a rejection, and its message must not read like one.
    const expire = (): void => void call.cancel(`No answer came within ${approvalTimeoutMs} ms.`);
    const timer = approvalTimeoutMs === undefined ? undefined : setTimeout(expire, approvalTimeoutMs);
    if (confirm !== undefined && this.isWaiting(call)) {
      const { callId } = call.request;
      callSafely(this.logger, 'the handler of confirmations', async () =>
        this.handleConfirmationResponse(callId, await confirm(call.snapshot() as IWaitingToolCall)),
      );
    }
    await call.decided();
    clearTimeout(timer);
  }

  /** S2.A16: passes a decision to the tool, once, with the payload for edits only. Resolves to true where the call may run. */
  private async applyDecision(
    call: ScheduledCall,
    outcome: ToolConfirmationOutcome,
    payload?: ToolConfirmationPayload,
  ): Promise<boolean> {
    this.decided.add(call);
    call.outcome = outcome;
    const details = call.details!;
    try {
      await confirmWith(details, outcome, payload);
    } catch (error) {
      call.fail(new Error(`The decision could not be passed to the tool: ${errorMessage(error)}`));
      return false;
    }
    if (outcome === ToolConfirmationOutcome.Cancel) call.cancel('Rejected by the user.');
    if (outcome === ToolConfirmationOutcome.ModifyWithEditor) applyModification(call, payload);
    return call.schedule();
  }

  private async execute(call: ScheduledCall, { beforeExecution, onExecutionStart }: Callbacks): Promise<void> {
    if (call.isEnded) return;
    try {
      if (beforeExecution !== undefined) await beforeExecution();
    } catch (error) {
      return void call.fail(new Error(errorMessage(error), { cause: error }));
    }
    if (!call.start()) return;
    callSafely(this.logger, 'onExecutionStart', () => onExecutionStart?.(call.request));
    const { retries, outputUpdateHandler } = this.config;
    const updateOutput = (chunk: string): void => {
      if (!call.addOutput(chunk)) return;
      callSafely(this.logger, 'outputUpdateHandler', () => outputUpdateHandler?.(call.request.callId, chunk));
    };
    // A tool that ignores its signal does not block the batch.
    await Promise.race([runToolCall(call, updateOutput, retries, this.logger), call.ended]);
  }
}

/** S2.A3. */
function applyModification(call: ScheduledCall, payload: ToolConfirmationPayload | undefined): void {
  if (payload === undefined) return void call.cancel('No modification content provided');
  call.request = { ...call.request, args: { ...call.request.args, content: payload.newContent } };
  const problem = validateArguments(call);
  if (problem !== undefined) call.fail(problem);
}
