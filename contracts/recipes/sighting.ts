import type { RecipeTarget } from './recipe';

/** What a reply saw of the page that it was given for: from these a step is learnt when its session has ended. */
export interface Sighting {
  url: string;
  /** Texts that were new on the page: what followed the commands before. */
  texts: string[];
  /** Of each command of the reply. */
  commands: SightedCommand[];
}

export interface SightedCommand {
  target?: RecipeTarget | undefined;
  toTarget?: RecipeTarget | undefined;
  chosenAmong?: string | undefined;
  /** Nothing but its place distinguishes the element from others on its own page: it would not be found again. */
  isAmbiguous?: true;
}
