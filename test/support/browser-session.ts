import type { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Page } from 'playwright';
import type { Attachment } from '../../activities/browser/attach/attachment';
import type {
  AcquireInput,
  ExploreOutput,
  Lease,
  RunCommandsOutput,
} from '../../activities/signatures/browser-activities';
import type { BrowserType } from '../../contracts/browsers/browser-type';
import type { PlannedCommand, Target } from '../../contracts/commands/planned-command';
import { durableTarget } from '../../rules/page-text/durable-target';
import type { PageState } from '../../contracts/events/outbox';
import type { StartConfig } from '../../contracts/sessions/config';
import type { BrowserAction, BrowserParameters } from '../../contracts/commands/commands';
import type { Idempotency } from '../../contracts/browsers/idempotency';
import type { LogRecord } from '../../contracts/events/log';
import { walkNodes, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { SessionNetwork } from '../../contracts/browsers/network-policy';
import type { ProfileInput } from '../../contracts/sessions/profile';
import { secretValues, type SecretInput } from '../../contracts/sessions/secrets';
import { parseStart, type VariableInput } from '../../contracts/sessions/start-request';
import type { StepInput } from '../../contracts/sessions/step-input';
import type { InvestigationPhase } from '../../contracts/steps/investigation';
import type { ArtifactKind } from '../../store/artifacts/artifacts';
import type { JournalEntry } from '../../store/journal/journal';
import type { BrowserStage } from './browser-harness';

/** As many as an unexpected failure has. */
const ACQUIRE_TRIES = 3;

export interface SessionFacts {
  variables?: Record<string, VariableInput>;
  steps?: StepInput[];
  config?: StartConfig;
  secrets?: Record<string, SecretInput>;
  network?: SessionNetwork;
  profile?: ProfileInput;
}

/** A command before it has an id. */
export type Draft = Pick<PlannedCommand, 'action' | 'parameters' | 'target'>;

export interface RunOptions {
  worker?: string;
  stepIndex?: number;
  turn?: number;
  timeoutMs?: number;
  screenshotsEnabled?: boolean;
  idempotency?: Idempotency;
  judgesPage?: true;
  /** Gets what cancels the activity while it runs. */
  whileRunning?: (cancel: () => void) => Promise<void>;
}

export function a(action: BrowserAction, parameters: BrowserParameters = {}, target?: Target): Draft {
  return { action, parameters, ...(target === undefined ? {} : { target }) };
}

/** A session with its row claimed by a run, driven as the workflow drives one. */
export class StagedSession {
  readonly runId = randomUUID();
  /** What its activities have logged as warnings. */
  readonly warnings: string[] = [];
  lease: Lease | undefined;
  private planned = 0;

  private constructor(
    readonly stage: BrowserStage,
    readonly sessionId: string,
    readonly network: SessionNetwork | undefined,
    private readonly browserType: BrowserType,
    private readonly isRecorded: boolean,
  ) {}

  static async create(
    stage: BrowserStage,
    { variables = {}, secrets = {}, network, steps = ['a step'], config = {}, profile }: SessionFacts = {},
  ): Promise<StagedSession> {
    const sessionId = randomUUID();
    const parsed = parseStart({ steps, variables, secrets, config, ...(profile === undefined ? {} : { profile }) });
    if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
    await stage.store.sessions.create({
      sessionId,
      workflowId: sessionId,
      plan: parsed.plan,
      secretValues: secretValues({ secrets }),
    });
    const session = new StagedSession(
      stage,
      sessionId,
      network,
      config.browserType ?? 'chromium',
      config.recording === true,
    );
    await stage.store.sessions.assignRun(sessionId, session.runId, undefined);
    if (parsed.plan.profile !== undefined)
      await stage.store.profiles.lease(sessionId, session.runId, parsed.plan.profile);
    return session;
  }

  /** An address of the shop, labelled so that what this session does there can be counted. */
  url(path: string): string {
    return `${this.stage.shop.url}${path}${path.includes('?') ? '&' : '?'}run=${this.sessionId}`;
  }

  /** How often this session has pressed the button of parts/counter, by the server's count. */
  count(): number {
    return this.stage.shop.counter.commits(this.sessionId).length;
  }

  /** `lost` as the workflow passes it: the Chrome that was lost and the step that ran in it. */
  async acquire(
    worker?: string,
    lost?: AcquireInput['lost'],
    returning?: AcquireInput['returning'],
    connectionTimeoutMs?: number,
  ): Promise<Lease> {
    const { acquireBrowser } = this.stage.worker(worker).activities;
    const { sessionId, network, browserType } = this;
    const input = { sessionId, headless: true, browserType, network, lost, returning, connectionTimeoutMs };
    // On a busy host Firefox is not always ready in time, and Temporal would try again.
    const tries = browserType === 'chromium' ? 1 : ACQUIRE_TRIES;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (this.lease = await call(this.environment(attempt), acquireBrowser, input));
      } catch (error) {
        const isFinal = (error as ApplicationFailure).nonRetryable !== false;
        if (attempt === tries || isFinal) throw error;
      }
    }
  }

  plan(drafts: readonly Draft[]): PlannedCommand[] {
    return drafts.map((draft) => ({ ...draft, commandId: `${this.sessionId}.${(this.planned += 1)}` }));
  }

  /** Runs new commands, or the very same ones again; the lease is the workflow's last one unless another is given. */
  async run(
    drafts: readonly (Draft | PlannedCommand)[],
    options: RunOptions & { lease?: Lease } = {},
  ): Promise<RunCommandsOutput> {
    const {
      worker,
      stepIndex = 0,
      turn = 0,
      timeoutMs = 10_000,
      screenshotsEnabled = false,
      whileRunning,
      idempotency,
      judgesPage,
    } = options;
    const commands = drafts.map((draft) => ('commandId' in draft ? draft : this.plan([draft])[0]!));
    const lease = options.lease ?? this.lease ?? (await this.acquire(worker));
    const environment = this.environment();
    const running = call(environment, this.stage.worker(worker).activities.runCommands, {
      sessionId: this.sessionId,
      stepIndex,
      turn,
      lease,
      commands,
      executor: {
        browserType: this.browserType,
        headless: true,
        timeoutMs,
        screenshotsEnabled,
        ...(idempotency === undefined ? {} : { idempotency }),
        ...(this.network === undefined ? {} : { network: this.network }),
        ...(this.isRecorded ? { recording: true as const } : {}),
      },
      ...(judgesPage === undefined ? {} : { judgesPage }),
      outbox: { records: [], patch: {}, stepResults: [] },
    });
    running.catch(() => {});
    await whileRunning?.(() => environment.cancel());
    // A batch that was not all done fails in Temporal, with its output.
    const output = await running.catch((error: unknown) => {
      const { output: done } = ((error as ApplicationFailure).details?.[1] ?? {}) as { output?: RunCommandsOutput };
      if (done === undefined) throw error;
      return done;
    });
    if (options.lease === undefined) this.lease = output.lease;
    return output;
  }

  /** Runs commands that must all be done, with time enough on a busy machine: no limit is to decide that. */
  async did(drafts: readonly (Draft | PlannedCommand)[], options: RunOptions = {}): Promise<RunCommandsOutput> {
    const output = await this.run(drafts, { timeoutMs: 60_000, ...options });
    const bad = output.outcomes.find(({ status }) => status !== 'done');
    if (bad !== undefined || output.isInterrupted)
      throw new Error(`Expected all to be done: ${JSON.stringify(output)}`);
    return output;
  }

  async open(path: string): Promise<void> {
    await this.did([a('OPEN_PAGE', { url: path.startsWith('http') ? path : this.url(path) })]);
  }

  async keepFailure(worker?: string): Promise<PageState> {
    const { captureFailure } = this.stage.worker(worker).activities;
    return await call(this.environment(), captureFailure, {
      sessionId: this.sessionId,
      stepIndex: 0,
      lease: this.lease!,
    });
  }

  /** Runs the tools of one phase of an investigation. */
  async explore(phase: InvestigationPhase): Promise<ExploreOutput> {
    return await call(this.environment(), this.stage.worker().activities.explore, {
      sessionId: this.sessionId,
      stepIndex: 0,
      turn: 0,
      lease: this.lease!,
      phase,
      focus: [],
      executor: { browserType: 'chromium', headless: true, timeoutMs: 10_000, screenshotsEnabled: false },
      outbox: { records: [], patch: {}, stepResults: [] },
    });
  }

  /** What a pause that lasts does. */
  async releaseBrowser(worker?: string): Promise<void> {
    const { releaseBrowser } = this.stage.worker(worker).activities;
    await call(this.environment(), releaseBrowser, { sessionId: this.sessionId, stepIndex: 0, lease: this.lease! });
  }

  async release(worker?: string): Promise<void> {
    const { closeBrowser } = this.stage.worker(worker).activities;
    await call(this.environment(), closeBrowser, { sessionId: this.sessionId, lease: this.lease! });
  }

  async pause(paused: boolean): Promise<void> {
    await this.stage.store.log.append(this.sessionId, [], { patch: { paused } });
  }

  /** What the model would see. */
  async look(): Promise<PageSnapshot> {
    const look = await this.stage.store.memory.snapshot(this.sessionId);
    if (look === null) throw new Error('Expected a look in the store, found none.');
    return look;
  }

  /** The durable target of the nth element of this role and name in the newest look. */
  async target(role: string, name: string, nth = 0): Promise<Target> {
    const look = await this.look();
    const found = [...walkNodes(look.nodes)].filter(({ node }) => node.role === role && (node.name ?? '') === name)[
      nth
    ];
    const target = found?.node.ref === undefined ? undefined : durableTarget(look, found.node.ref);
    if (target === undefined) throw new Error(`Expected ${role} “${name}” in the look, got ${JSON.stringify(look)}`);
    return target;
  }

  async log(): Promise<LogRecord[]> {
    return await this.stage.store.log.read(this.sessionId, 0, 10_000);
  }

  /** Types of the log's records from `after` on, without screenshots: those come when they are ready. */
  async kinds(after = 0): Promise<string[]> {
    return (await this.log())
      .slice(after)
      .map(({ type }) => type)
      .filter((type) => type !== 'SCREENSHOT_CAPTURED');
  }

  async journal(): Promise<JournalEntry[]> {
    const entries = await this.stage.store.journal.ofSession(this.sessionId);
    // Every batch of a test is turn 0, so the store's order says nothing here.
    const number = ({ commandId }: JournalEntry): number => Number(commandId.split('.').at(-1));
    return entries.sort((one, other) => number(one) - number(other));
  }

  async lastEntry(): Promise<JournalEntry> {
    return (await this.journal()).at(-1)!;
  }

  async artifacts(kind: ArtifactKind): Promise<Buffer[]> {
    const { artifacts } = this.stage.store;
    return await Promise.all((await artifacts.list(this.sessionId, kind)).map((row) => artifacts.read(row)));
  }

  async variable(name: string): Promise<string | null | undefined> {
    return (await this.stage.store.variables.ofSession(this.sessionId)).find((row) => row.name === name)?.value;
  }

  attachment(worker?: string): Attachment {
    const attachment = this.stage.worker(worker).attachments.held(this.sessionId, this.lease!);
    if (attachment === undefined) throw new Error('Expected the worker to hold the browser.');
    return attachment;
  }

  /** The page in front, to see what is really there. */
  page(worker?: string): Page {
    return this.attachment(worker).page;
  }

  private environment(attempt = 1): MockActivityEnvironment {
    return new MockActivityEnvironment(
      {
        attempt,
        workflowExecution: { workflowId: this.sessionId, runId: this.runId },
        heartbeatTimeoutMs: 1000,
      },
      // Failures are what many tests are about.
      { logger: new DefaultLogger('WARN', ({ message }) => void this.warnings.push(message)) },
    );
  }
}

async function call<I, O>(environment: MockActivityEnvironment, work: (input: I) => Promise<O>, input: I): Promise<O> {
  return await environment.run<[I], O, (input: I) => Promise<O>>(work, input);
}
