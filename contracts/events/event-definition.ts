import type { z } from 'zod';
import type { ModuleId } from '../modules/module-id';
import type { BrowserAction, BrowserParameters } from '../commands/commands';
import type { RecordFacts } from './record-facts';

export type Tone = 'plain' | 'good' | 'bad' | 'warning' | 'quiet' | 'strong';

/** A line of an event in a terminal. */
export interface TerminalLine {
  tone: Tone;
  text: string;
  /** Text, or a duration in milliseconds, behind the line. */
  aside?: string | number | undefined;
  /** Shown only to readers who want every detail. */
  isDetail?: boolean;
}

/** What a terminal knows from the records before. */
export interface TerminalContext {
  totalSteps: number;
  model: string;
  sinceSessionStartMs: number | undefined;
  sinceStepStartMs: number | undefined;
  /** The last step that failed: the end of the session does not repeat its error. */
  failure: { stepIndex: number; message: string } | undefined;
  describeCommand(command: { action: BrowserAction; parameters: BrowserParameters }): string;
}

type Payload = Readonly<Record<string, z.ZodType>>;

interface TerminalEvent<P extends Payload> {
  sessionId: string;
  stepIndex?: number | undefined;
  facts?: RecordFacts | undefined;
  data: { readonly [M in keyof P]?: z.output<P[M]> | undefined } & {
    message?: string | undefined;
    details?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** Everything that the engine knows about an event of S1.29, except where it is published. */
export interface EventDefinition<P extends Payload = Payload> {
  /** The modules that may publish it (S1.R12). */
  owners: readonly [ModuleId, ...ModuleId[]];
  /** The members of S1.31 that it carries (S1.R13). */
  payload: P;
  /** Exactly one such event ends every log (S1.A30). */
  endsLog?: boolean;
  /** How a terminal shows it. */
  toTerminal(event: TerminalEvent<P>, context: TerminalContext): TerminalLine[];
}

/** Infers the payload of one definition, so that `toTerminal` knows its members. */
export function defineEvent<const P extends Payload>(definition: EventDefinition<P>): EventDefinition<P> {
  return definition;
}

/** The members that the name of an event demands: its family's, and `error` of a failure (S1.A6). */
type DemandedBy<Name> = (Name extends `${string}_FAILED` | 'ERROR_OCCURRED' ? { error: z.ZodType } : unknown) &
  (Name extends `STEP_${string}` ? { step: z.ZodType } : unknown) &
  (Name extends `COMMAND_${string}` ? { command: z.ZodType } : unknown) &
  (Name extends `INVESTIGATION_TOOL_${string}`
    ? { investigationTool: z.ZodType }
    : Name extends `INVESTIGATION_${string}`
      ? { investigation: z.ZodType }
      : unknown);

/** The definitions by name. A definition without a member that its name demands does not compile. */
export function defineEvents<D extends { [Name in keyof D]: { payload: DemandedBy<Name> } }>(definitions: D): D {
  return definitions;
}
