import type { BrowserType } from '../../contracts/browsers/browser-type';
import type { PageState, OutboxBatch } from '../../contracts/events/outbox';
import type { Step } from '../../contracts/sessions/step-input';
import type { SessionConfig } from '../../contracts/sessions/config';
import type { SessionNetwork } from '../../contracts/browsers/network-policy';
import type { InvestigationPhase, InvestigationTool } from '../../contracts/steps/investigation';
import type { StepOnce } from '../../contracts/sessions/once';
import type { SiteFinding } from '../../contracts/sessions/site-check';
import type { DecideInput, DecideOutput } from './engine-activities';
import type { StepVerdict } from '../../contracts/steps/step-verdict';
import type { PlannedCommand } from '../../contracts/commands/planned-command';

/** Activities of the browser workers: the only code that drives a page. */
export interface BrowserActivities {
  /** Starts a Chrome for the session on some host, under that host's keeper, and returns a lease on it. */
  acquireBrowser(input: AcquireInput): Promise<Lease>;
  /** Runs the commands of one reply in order, stops at the first that fails, then takes a snapshot. */
  runCommands(input: RunCommandsInput): Promise<RunCommandsOutput>;
  /** Has `rules`, or a recipe, decide on the next commands and runs them at once: no model is asked, and the page is here. */
  decideAndRun(input: DecideAndRunInput): Promise<DecideAndRunOutput>;
  /** Looks on the site, in another tab, whether what a step does has happened. It changes nothing, so it may be repeated. */
  lookAtSite(input: LookAtSiteInput): Promise<LookAtSiteOutput>;
  /** Runs the read-only tools of one phase of an investigation, then takes a snapshot. */
  explore(input: ExploreInput): Promise<ExploreOutput>;
  /** Keeps what explains a failed step: its Playwright trace and the page as it is. */
  captureFailure(input: { sessionId: string; stepIndex: number; lease: Lease }): Promise<PageState>;
  /** Ends the Chrome of a session that pauses for long, after a checkpoint from which the next Chrome is restored. */
  releaseBrowser(input: ReleaseBrowserInput): Promise<void>;
  /** Ends the session's Chrome and its lease. Repeating it is harmless. */
  closeBrowser(input: CloseBrowserInput): Promise<void>;
}

/** The worker that drives the browser. Commands go to its queues; its epoch fences earlier workers off. */
export interface Lease {
  hostId: string;
  hostQueue: string;
  workerQueue: string;
  epoch: number;
  /** The Chrome process: equal in two leases of the same Chrome. */
  browserId?: string | undefined;
  /**
   * With `returning`: true when the page differs from the one before the pause, for which the last decision was made.
   */
  isPageChanged?: boolean | undefined;
}

export interface AcquireInput {
  sessionId: string;
  headless: boolean;
  /** Chromium without it. */
  browserType?: BrowserType | undefined;
  /** The tenant whose sessions it shares a Chrome with. */
  sharedBy?: string | undefined;
  /** The newest epoch that the workflow knows of: the database may have forgotten it. */
  knownEpoch?: number | undefined;
  /** The longest wait for Chrome to take a connection (connectionTimeoutMs). */
  connectionTimeoutMs?: number | undefined;
  /** What the request says about where its Chrome may go. */
  network?: SessionNetwork | undefined;
  /** The id of this request for a browser: the store removes the request when a host takes it. */
  requestId?: string | undefined;
  /** The browser that was lost and the step that was running in it. */
  lost?: { browserId: string | undefined; stepIndex: number } | undefined;
  /** The session continues this step after a pause that released its browser. */
  returning?: { stepIndex: number } | undefined;
}

export interface ReleaseBrowserInput {
  sessionId: string;
  stepIndex: number;
  lease: Lease;
}

export interface CloseBrowserInput {
  sessionId: string;
  lease: Lease;
  /** Its state is kept, because the session has a profile. */
  keepsState?: true;
}

export interface RunCommandsInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  lease: Lease;
  commands: PlannedCommand[];
  executor: SessionConfig['executor'];
  /** A person is to be asked about this command: the snapshot has what they are shown. */
  view?: PlannedCommand | undefined;
  /** No model judges the page after these commands: it is judged with them. */
  judgesPage?: true;
  /** What the commits of the step do is to happen once. */
  once?: StepOnce | undefined;
  outbox: OutboxBatch;
}

export interface LookAtSiteInput extends Pick<
  RunCommandsInput,
  'sessionId' | 'stepIndex' | 'lease' | 'executor' | 'outbox'
> {
  lines: string[];
  /** The one line is that of a wait: it is looked for on the session's page, which all looks but the first open again. */
  wait?: LookAgain;
}

export interface LookAgain {
  isAgain?: true;
  /** Where the page was at the first look; absent where that has a secret in it: then it is opened where it is. */
  address?: string | undefined;
}

export interface LookAtSiteOutput {
  lease: Lease;
  /** Absent where a pause or the end of its worker has stopped it: it is made again. */
  found?: SiteFinding;
}

export interface DecideAndRunInput
  extends DecideInput, Pick<RunCommandsInput, 'lease' | 'executor' | 'judgesPage' | 'once'> {
  /** The next call is made as well, where all that it has to do is to judge whether the step is done. */
  judges?: true;
  /** What may be done behind the step. */
  ahead?: StepsAheadInput;
}

export interface DecideAndRunOutput {
  /** Absent where a model has to be asked. */
  decided?: DecideOutput;
  /** Absent where the workflow has to look at the decision first, and where there is nothing to run. */
  ran?: RunCommandsOutput;
  /** The decision of the next turn, which has judged what the commands have led to. */
  judged?: DecideOutput;
  /** The steps that were begun behind this one, which is done then; all but the last are. */
  followed?: FollowedStep[];
}

/** Steps that may be done behind the one that an activity is for, one after the other, each once the one before is done. */
export interface StepsAheadInput {
  steps: StepAhead[];
  /** Active milliseconds that the current step has taken before. */
  spentMs: number;
  /** Active milliseconds that it has left. */
  leftMs: number;
  totalSteps: number;
  completed: { readonly count: number; readonly durationMs: number };
  /** As it was last seen. */
  page?: PageState;
}

export interface StepAhead {
  /** Its `aiConfig.model` is the one that leads the current step. */
  step: Step;
  /** Ids of the records of its beginning: the end of the step before, the progress, its start. */
  ids: { ended: string; progress: string; started: string };
}

/** A step that was begun behind another: its start is in the log, and the end of the one before. */
export interface FollowedStep {
  /** Milliseconds, so far. */
  tookMs: number;
  /** Absent where the workflow has to make the call. */
  decided?: DecideOutput;
  /** Absent where nothing was run. */
  ran?: RunCommandsOutput;
  /** The decision that has judged what the commands have led to. */
  judged?: DecideOutput;
}

export interface ExploreInput {
  sessionId: string;
  stepIndex: number;
  /** The turn that the investigation is made for. */
  turn: number;
  lease: Lease;
  phase: InvestigationPhase;
  /** Texts to search for, from the previous phase. */
  focus: string[];
  executor: SessionConfig['executor'];
  outbox: OutboxBatch;
}

export interface ExploreOutput {
  lease: Lease;
  /** The tools that found something, in the order of their runs. */
  toolsUsed: InvestigationTool[];
  /** True when a pause or cancellation stopped it before its end: another run continues. */
  isInterrupted: boolean;
}

/** A person has to be asked for the value of a secret, because this command needs it. */
export interface AnswerNeeded {
  alias: string;
  commandId: string;
}

/** The outcome of one command, in the order of the input. `skipped`: it never started. */
export interface CommandSummary {
  commandId: string;
  status: 'done' | 'failed' | 'unknown' | 'skipped';
  code?: string | undefined;
  message?: string | undefined;
  /** It never began, so that the journal has nothing of it. */
  isUnrun?: true | undefined;
  /** The message names all that there was to choose from. */
  listsChoices?: true | undefined;
  /** What would have left is not what was approved, so it was not sent: in sentences. A person is asked again. */
  differences?: string[] | undefined;
  /** It was done, and led to an origin that is not allowed: the commands after it wait until the model has learnt that. */
  isNavigationBlocked?: true | undefined;
  /** The step ends with it, whatever its model would do next. */
  endsStep?: StepVerdict | undefined;
}

export interface RunCommandsOutput {
  outcomes: CommandSummary[];
  /** True when a pause or cancellation stopped the batch before its end: another run continues. */
  isInterrupted: boolean;
  lease: Lease;
  page: PageState;
  /** What the page says against the commands, where it was judged with them. */
  problem?: string;
  /** The batch stopped before a commit, because another session holds its key: who, in sentences. It is run again later. */
  heldKey?: string;
  /** The batch stopped before a command whose secret a person has to give. It is run again with the answer. */
  asks?: AnswerNeeded;
}
