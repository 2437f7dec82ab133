import type { ResultRequest } from './result-request';

/** “Extract all products with name, price and link”. */
const LIST = /^extract\s+(?:all|every|each|the)\s.*?\bwith\s+(?:(?:its|their|the)\s+)?(.+?)\.?$/is;
const EXTRACT = /^extract\s/i;
/** A text that is kept as a variable is no data. */
const SAVE = /\s(?:as|in|into|to|under)\s+\S+$/i;
const ADDRESS = /^(?:link|url|href|address|image|picture|photo)$/i;
const NUMBER = /^(?:price|cost|amount|total|quantity|count|rating|stock|year|age|size)$/i;

/** Whether a plain step reads data: one that says which, and any “Extract …” of a session that is to return a result. */
export function isExtractStep(text: string, hasResult: boolean): boolean {
  const said = text.trim();
  return LIST.test(said) || (hasResult && EXTRACT.test(said) && !SAVE.test(said));
}

/** The result that the words of an extract step want, where they name the parts of a row; undefined where they do not. */
export function resultOfWords(text: string): ResultRequest | undefined {
  const parts = LIST.exec(text.trim())?.[1];
  if (parts === undefined) return undefined;
  const names = parts
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/i)
    .map((part) => part.replace(/^(?:its|their|the|an?)\s+/i, '').trim())
    .filter((part) => part !== '');
  const properties = Object.fromEntries(names.map((name) => [toKey(name), toMember(name)]));
  return {
    schema: { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } },
  };
}

function toMember(name: string): Record<string, unknown> {
  const last = name.split(/\s+/).at(-1)!;
  if (ADDRESS.test(last)) return { type: 'string', format: 'uri' };
  return { type: NUMBER.test(last) ? 'number' : 'string' };
}

/** `unit price` is `unitPrice`. */
function toKey(name: string): string {
  const [first = '', ...others] = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return first.toLowerCase() + others.map((word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()).join('');
}

/** Two turns a page, for the most pages that a list may have. */
const MOST_EXTRACT_TURNS = 2000;

/** The turns that a task may take. An extract step ends by itself with the last page. */
export function maxStepsOf(
  { task }: { task?: { maxSteps?: number | undefined; isExtract?: true } | undefined },
  agent: { maxSteps: number },
): number {
  return task?.maxSteps ?? (task?.isExtract === true ? MOST_EXTRACT_TURNS : agent.maxSteps);
}
