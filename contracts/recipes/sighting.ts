import type { RecipeTarget } from './recipe';

/** What a reply saw of the page that it was given for: from these a step is learnt when its session has ended. */
export interface Sighting {
  url: string;
  /** Texts that were new on the page: what followed the commands before. */
  texts: string[];
  /** Digests of all texts of the page that could say what came of a command: what it said before is not new after it. */
  said: string[];
  /** Of each command of the reply. */
  commands: SightedCommand[];
  /** Of each part of the step that depends on the page, by its number: whether its condition was so. */
  conditions?: Record<number, Shown>;
}

/** What a reply of a task saw. */
export interface TaskSighting extends Sighting {
  /** Digest of all that the page says (activities/engine/recipes/reading.ts). */
  reads: string;
  /** The words beside its calls; absent where they held a secret. */
  says?: string | undefined;
}

/** Whether a page shows what a condition names; `unclear` where that can not be said for certain. */
export type Shown = 'yes' | 'no' | 'unclear';

/** What the page showed around an act of a person: before it, and once its effect was there. */
export interface ActSighting {
  command: SightedCommand;
  before: Pick<Sighting, 'url' | 'said'>;
  /** Its element came with the act before it: it can't be looked for earlier. */
  isNew?: true;
  after: SeenPage;
  /**
   * What the field holds after it: its text, the name of the secret that it is, or the option that is chosen. Absent where
   * nobody may know.
   */
  held?: { text: string } | { name: string } | { option: string };
  /** What a box or radio button is after it. */
  checked?: boolean;
}

/** What a page shows, whatever the commands on it are. */
export type SeenPage = Omit<Sighting, 'commands'>;

export interface SightedCommand {
  target?: RecipeTarget | undefined;
  toTarget?: RecipeTarget | undefined;
  chosenAmong?: string | undefined;
  /** Nothing but its place distinguishes the element from others on its own page: it would not be found again. */
  isAmbiguous?: true;
  /** Names of other elements on the page that the step names, where it does not name this one. */
  namedInstead?: string[];
}
