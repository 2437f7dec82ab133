import { readFile } from 'node:fs/promises';
import { oneLineOf } from '../context/failure';
import { CliError } from '../context/exit';

/** The request of a file or of the arguments, not yet validated. */
export interface RequestDraft {
  name?: unknown;
  steps: unknown;
  config?: unknown;
  variables?: unknown;
  secrets?: unknown;
  tenant?: unknown;
  profile?: unknown;
  notBefore?: unknown;
  result?: unknown;
}

/**
 * Reads a step file: JSON as for the API, `{"steps": [...], "config": {...}, "variables": {...}}`, or a plain list of
 * steps in JSON, or text with one step per line, where empty lines and lines that begin with # don't count.
 */
export function parseStepFile(content: string, name: string): RequestDraft {
  const text = content.replace(/^\uFEFF/, '');
  const isJson = name.endsWith('.json') || /^\s*[{[]/.test(text);
  if (!isJson) return { steps: toStepLines(text) };
  const parsed = parseJson(text, name);
  if (Array.isArray(parsed)) return { steps: parsed };
  if (typeof parsed === 'object' && parsed !== null) return parsed as RequestDraft;
  throw new CliError(
    `${name} must hold an object with "steps" or a list of steps, but it holds ${JSON.stringify(parsed)}.`,
  );
}

function toStepLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(`${name} is not valid JSON: ${oneLineOf(error)}. Correct it, or write one step per line.`);
  }
}

/** Reads a step file; `-` is standard input. */
export async function readStepFile(file: string): Promise<RequestDraft> {
  if (file === '-') return parseStepFile(await readStandardInput(), 'standard input');
  try {
    return parseStepFile(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CliError(isMissing ? `There is no file ${file}.` : `${file} can't be read: ${oneLineOf(error)}.`);
  }
}

/** Reads standard input to its end. */
export async function readStandardInput(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) text += chunk as string;
  return text;
}
