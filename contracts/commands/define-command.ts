import type { z } from 'zod';
import type { ToolClassification } from './tool-classification';

/** What repeating a command may do: nothing, the same again, or a second change of the world. */
export type EffectClass = 'pure' | 'idempotent' | 'commit';

/** A word of a command's line in a terminal; what does not apply is left out. */
type SummaryPart = string | false | undefined;

/** Describes parameters for people. They may have been redacted, or refused, so that a member may be missing. */
export type SummaryOf<P> = (parameters: Partial<P>) => SummaryPart[];

/**
 * Offers a command to the models of tasks as a tool with the same parameters. A command that names an element needs a
 * tool with a planner of its own (contracts/tools/browser-tools.ts), which resolves the ref of a model.
 */
export interface CommandTool<P, N extends string> {
  name: N;
  description: string;
  classification: ToolClassification;
  /** What a call would do, as a sentence without its full stop, for approvals. */
  summary: (parameters: P) => string;
  /** True for a tool that remote browsers execute too (S0). */
  isRemote?: boolean;
}

/** When the model of a step is offered a command: any of these suffices. After a failure it is offered all of them. */
export interface Offer {
  /** The page has an element of such a role. */
  roles?: readonly string[];
  /** The page has an element in such a state. */
  states?: RegExp;
  /** The step, in English, has such a word. */
  words?: RegExp;
  /** The session has several tabs. */
  withTabs?: true;
}

/** What repeating a command may do, and of a commit how a document shows that it has got it. */
type CommandEffect =
  | { effect: Exclude<EffectClass, 'commit'>; events?: never }
  /** Any of these trusted events shows it, the first of a press as well; none where no document gets one. */
  | { effect: 'commit'; events: readonly string[] };

type CommandDefinition<
  P extends z.ZodObject,
  S extends z.ZodObject,
  D extends string | undefined,
  N extends string,
> = CommandEffect & {
  /** Checked before the command runs; a missing or further member is SM002 (S1.A7). */
  parameters: P;
  /** What the reply of a step may give, where that is less than a tool call may. */
  stepParameters?: S;
  /** True where it may open a tab in front, which the session then goes to. */
  mayOpenTab?: true;
  /** True for a pure command that leaves the page as it is, so that there is nothing new to checkpoint. */
  onlyLooks?: boolean;
  /** True where it leaves the page or reads what is to be kept: what the page has under way is waited for first. */
  needsPageAtRest?: true;
  /** What the command does, in the prompt of a step. Steps and rules can't use a command without it. */
  prompt?: D;
  /** In every step where this is absent. */
  offered?: Offer;
  /** Members that a plain step has no use for, which are offered after a failure. */
  rare?: readonly string[];
  /** Absent where no tool comes to this command alone; tools of browser-tools.ts may plan it all the same. */
  tool?: CommandTool<z.output<P>, N>;
  summary: SummaryOf<z.output<P>>;
  /** What a tool reports that was done, where the handler has no output; `element` reads like `the button “Buy”`. */
  done?: (parameters: z.output<P>, element: string) => string;
};

/** Defines a command under the name that is its key in the list of its file. */
export function defineCommand<
  P extends z.ZodObject,
  S extends z.ZodObject = P,
  D extends string | undefined = undefined,
  const N extends string = never,
>(definition: CommandDefinition<P, S, D, N>) {
  const {
    parameters,
    stepParameters,
    effect,
    events = [],
    mayOpenTab = false,
    onlyLooks = false,
    needsPageAtRest = false,
    prompt,
    offered,
    rare = [],
    tool,
  } = definition;
  return {
    ...definition,
    effect: effect as EffectClass,
    events,
    mayOpenTab,
    stepParameters: stepParameters ?? (parameters as unknown as S),
    onlyLooks,
    needsPageAtRest,
    prompt: prompt as D,
    offered,
    rare,
    tool,
  };
}
