import type { Approval } from '../approvals/approval';
import type { Resolution } from '../approvals/unknown-outcome';
import type { CommandEvidence, ObservedRequest } from '../commands/evidence';
import type { StreamEvent } from './stream-event';
import type { SessionFile } from '../files/file';
import type { Film } from '../files/film';
import type { ModelCallInfo } from '../models/usage';
import type { ResultSource } from '../results/result';
import type { ScreenshotInfo } from '../sessions/resources';

/** What a command left, as far as there was room for it. */
export interface FrozenCommand {
  evidence?: CommandEvidence;
  dom?: string;
  screenshotId?: string;
}

/** A commit whose end nobody saw. */
export interface FrozenUnknown {
  stepIndex: number;
  what: string;
  message?: string;
  requests: readonly ObservedRequest[];
  resolution?: Resolution;
}

/**
 * All that the view of a session shows, in one piece: it needs nobody any more. Everything is as the log, the journal and
 * REST have it, without secrets. `details` is what REST shows of the session.
 */
export interface FrozenSession<Details> {
  details: Details;
  events: readonly (StreamEvent & { seq: number })[];
  /** Texts of results, by the seq of their event. */
  results: Record<number, string>;
  /** By command id. */
  commands: Record<string, FrozenCommand>;
  /** Of the values of the result. */
  sources?: readonly ResultSource[] | undefined;
  screenshots: readonly ScreenshotInfo[];
  /** `data:` addresses by screenshot id. */
  pictures: Record<string, string>;
  files: readonly SessionFile[];
  /** With its `data:` address, where there is room for it. */
  recording?: { address: string; film: Film } | undefined;
  approvals: readonly Approval[];
  unknowns: readonly FrozenUnknown[];
  modelCalls: readonly ModelCallInfo[];
  /** Who has replied: models, the rules, or the caller. */
  models: readonly string[];
  /** What is missing, in sentences. */
  notes: readonly string[];
  /** ISO-8601 UTC. */
  madeAt: string;
}

/** The view of a frozen session: markup without any script, and its style. */
export interface FrozenView {
  title: string;
  markup: string;
  style: string;
}
