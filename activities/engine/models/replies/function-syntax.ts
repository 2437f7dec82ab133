import type { FunctionTool, GeneratedCall } from '../../../../contracts/model-port/language-model';

/** A tool by the name that a model wrote; undefined where there is none of that name. */
export type NameOf = (written: string) => string | undefined;

/** One argument: `key=value`, `key: value` or a value, which is quoted, a number, a word of JSON or Python, or a list. */
const ARGUMENT = /\s*(?:([A-Za-z_]\w*)\s*[=:]\s*)?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|[-\w.]+)\s*(?:,|$)/y;

/**
 * Finds calls that stand on lines of their own as in a program: `navigate(url="…")`. A line that calls a known tool with
 * arguments that can't be read is a call too, with its arguments as they stand.
 */
export function functionCallsIn(
  text: string,
  nameOf: NameOf,
  tools: readonly FunctionTool[],
): { calls: GeneratedCall[]; from: number } | undefined {
  const found = [...text.matchAll(/^[ \t>*-]*`{0,3}((?:\w+\.)?\w+)\s*\(([^\n]*)\)\s*[;`]*[ \t]*$/gm)].flatMap(
    ({ 1: written = '', 2: inside = '', index }) => {
      const name = nameOf(written);
      if (name === undefined) return [];
      const parameters = tools.find((tool) => tool.name === name)?.parameters;
      const [first] = parameters?.required ?? Object.keys(parameters?.properties ?? {});
      return [{ call: { name, args: argumentsIn(inside.trim(), first) ?? inside }, from: index }];
    },
  );
  return found.length === 0 ? undefined : { calls: found.map(({ call }) => call), from: found[0]!.from };
}

/** The arguments as JSON; `first` is the parameter that one without a name is for. */
function argumentsIn(inside: string, first: string | undefined): string | undefined {
  if (inside.startsWith('{')) return inside;
  const args: Record<string, unknown> = {};
  ARGUMENT.lastIndex = 0;
  while (ARGUMENT.lastIndex < inside.length) {
    const [, key = Object.keys(args).length === 0 ? first : undefined, value = ''] = ARGUMENT.exec(inside) ?? [];
    if (key === undefined || value === '') return undefined;
    args[key] = valueOf(value);
  }
  return JSON.stringify(args);
}

const WORDS: Record<string, unknown> = { True: true, False: false, None: null };

function valueOf(written: string): unknown {
  if (Object.hasOwn(WORDS, written)) return WORDS[written];
  if (written.startsWith("'")) return written.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}
