import type { PageState, OutboxBatch } from '../contracts/sessions/outbox';
import type { SessionConfig } from '../contracts/sessions/config';
import type { NetworkPolicy } from '../contracts/browsers/origins';
import type { InvestigationPhase, InvestigationTool } from '../contracts/steps/investigation';
import type { PlannedCommand } from '../contracts/commands/planned-command';

/** Activities of the browser workers: the only code that drives a page. */
export interface BrowserActivities {
  /** Starts a Chrome for the session on some host, under that host's keeper, and returns a lease on it. */
  acquireBrowser(input: AcquireInput): Promise<Lease>;
  /** Runs the commands of one reply in order, stops at the first that fails, then takes a snapshot. */
  runCommands(input: RunCommandsInput): Promise<RunCommandsOutput>;
  /** Runs the read-only tools of one phase of an investigation, then takes a snapshot. */
  explore(input: ExploreInput): Promise<ExploreOutput>;
  /** Keeps what explains a failed step: its Playwright trace and the page as it is. */
  captureFailure(input: { sessionId: string; stepIndex: number; lease: Lease }): Promise<PageState>;
  /** The same for a session that pauses for long, whose next Chrome is to be given what this one knows. */
  releaseBrowser(input: ReleaseBrowserInput): Promise<void>;
  /** Ends the session's Chrome and its lease. Repeating it is harmless. */
  closeBrowser(input: { sessionId: string; lease: Lease }): Promise<void>;
}

/** Who drives the browser now. The queues say where commands go; the epoch fences off everybody before. */
export interface Lease {
  hostId: string;
  hostQueue: string;
  workerQueue: string;
  epoch: number;
  /** Two leases with the same one are on the same Chrome. */
  browserId?: string | undefined;
  /** Answers `returning`: what was decided before the pause was decided for a page that looked otherwise. */
  isPageChanged?: boolean | undefined;
}

export interface AcquireInput {
  sessionId: string;
  headless: boolean;
  /** Where its Chrome may go; anywhere without one. */
  network?: NetworkPolicy | undefined;
  /** Names this wish for a browser, so that the store knows when a host has taken it up. */
  requestId?: string | undefined;
  /** The browser that was lost and the step that was running in it. */
  lost?: { browserId: string | undefined; stepIndex: number } | undefined;
  /** The session comes back from a pause that took its browser, in the middle of this step. */
  returning?: { stepIndex: number } | undefined;
}

export interface ReleaseBrowserInput {
  sessionId: string;
  stepIndex: number;
  lease: Lease;
}

export interface RunCommandsInput {
  sessionId: string;
  stepIndex: number;
  turn: number;
  lease: Lease;
  commands: PlannedCommand[];
  executor: SessionConfig['executor'];
  outbox: OutboxBatch;
}

export interface ExploreInput {
  sessionId: string;
  stepIndex: number;
  /** Of the call that the investigation is for. */
  turn: number;
  lease: Lease;
  phase: InvestigationPhase;
  /** Texts to look for, as the phase before said. */
  focus: string[];
  executor: SessionConfig['executor'];
  outbox: OutboxBatch;
}

export interface ExploreOutput {
  lease: Lease;
  /** Those that found something, in their order. */
  toolsUsed: InvestigationTool[];
  /** True when it was asked to stop (pause, cancel) before it was through: run it again to go on. */
  isInterrupted: boolean;
}

/** What became of one command, in the order of the input. `skipped`: it never started. */
export interface CommandSummary {
  commandId: string;
  status: 'done' | 'failed' | 'unknown' | 'skipped';
  code?: string | undefined;
  message?: string | undefined;
  /** It was done, and led to an origin that is not allowed: the commands after it wait until the model has learnt that. */
  isNavigationBlocked?: true | undefined;
}

export interface RunCommandsOutput {
  outcomes: CommandSummary[];
  /** True when the batch was asked to stop (pause, cancel) before it was through: run it again to go on. */
  isInterrupted: boolean;
  lease: Lease;
  page: PageState;
}
