/** Context windows in tokens, by the beginning of the model's own name. */
const CONTEXT_WINDOWS: readonly [prefix: string, tokens: number][] = [
  ['gemini-', 1_048_576],
  ['gpt-4.1', 1_047_576],
  ['gpt-4o', 128_000],
  ['claude-', 200_000],
];

/** The context window of `vendor/model`; undefined where it is not known. */
export function contextWindowOf(name: string): number | undefined {
  const own = name.slice(name.indexOf('/') + 1);
  return CONTEXT_WINDOWS.find(([prefix]) => own.startsWith(prefix))?.[1];
}
