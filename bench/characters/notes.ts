/**
 * What a character says in its reply about the parts of the instruction, such as `[parts 1,1,2][waiting 3]`. A model gets
 * its own words back in later prompts, and nothing else of what it thought.
 */
export interface OwnNotes {
  /** The part that each command or call belongs to, from 0. */
  plan: number[];
  waiting?: number;
  settled?: number[];
  skipped?: number[];
  repeats?: number[];
}

export function writeNotes({ plan, waiting, settled, skipped, repeats }: OwnNotes): string {
  const numbers = (name: string, indexes: readonly number[] = []): string =>
    indexes.length === 0 ? '' : `[${name} ${indexes.map((index) => index + 1).join(',')}]`;
  return [
    numbers('parts', plan),
    numbers('waiting', waiting === undefined ? [] : [waiting]),
    numbers('settled', settled),
    numbers('skipped', skipped),
    numbers('repeats', repeats),
  ].join('');
}

export function readNotes(text: string): OwnNotes {
  const numbers = (name: string): number[] => {
    const listed = new RegExp(`\\[${name} ([-\\d,]+)\\]`).exec(text)?.[1];
    return listed === undefined ? [] : listed.split(',').map((number) => Number(number) - 1);
  };
  const [waiting] = numbers('waiting');
  return {
    plan: numbers('parts'),
    settled: numbers('settled'),
    skipped: numbers('skipped'),
    repeats: numbers('repeats'),
    ...(waiting === undefined ? {} : { waiting }),
  };
}
