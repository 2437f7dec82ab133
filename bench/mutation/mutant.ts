/** One deliberate change of a contract, and the fast tests that have to notice it. */
export interface Mutant {
  what: string;
  file: string;
  /** Stands in the file exactly once. */
  from: string;
  to: string;
  /** Without folder and ending, under test/. */
  tests: readonly string[];
}

export function change(
  file: string,
  tests: readonly string[],
  ...pairs: [what: string, from: string, to: string][]
): Mutant[] {
  return pairs.map(([what, from, to]) => ({ what, file, from, to, tests }));
}
