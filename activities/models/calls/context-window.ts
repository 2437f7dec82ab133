/** Tokens that a model's window takes, of those whose vendors say so; by how the model's own name begins. */
const CONTEXT_WINDOWS: readonly [prefix: string, tokens: number][] = [
  ['gemini-', 1_048_576],
  ['gpt-4.1', 1_047_576],
  ['gpt-4o', 128_000],
  ['claude-', 200_000],
];

/** Undefined for a model of which it is not known. `name` is `provider/model`. */
export function contextWindowOf(name: string): number | undefined {
  const own = name.slice(name.indexOf('/') + 1);
  return CONTEXT_WINDOWS.find(([prefix]) => own.startsWith(prefix))?.[1];
}
