/** How a model behaves that leads a browser, beside its common sense. */
export interface Character {
  name: string;
  /** PROCEED, whatever it means: "go on", "done" and "it does not work". A task it ends with words alone. */
  alwaysProceeds?: true;
  /** Wraps its JSON in prose, and takes a wrong element now and then. */
  isChatty?: true;
  /** One command or call a turn, in as few words as it can. */
  isBlunt?: true;
  /** Overlooks what has to be accepted, until the page refuses the form. */
  isHasty?: true;
}

/** All of them know nothing but the prompt: the server keeps nothing of a session. That is all there is to `forgetful`. */
export const CHARACTERS = [
  { name: 'eager', alwaysProceeds: true, isHasty: true },
  { name: 'forgetful' },
  { name: 'chatty', isChatty: true, isHasty: true },
  { name: 'blunt', isBlunt: true },
] as const satisfies readonly Character[];

export function characterNamed(name: string): Character | undefined {
  return CHARACTERS.find((each) => each.name === name);
}
