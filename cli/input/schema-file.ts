import { readFileSync } from 'node:fs';
import { isObject } from '../../contracts/json';
import { CliError } from '../exit';
import { messageOf } from '../failure';

/** Reads a JSON schema from a file. Whether it can describe a result is checked with the request. */
export function readSchemaFile(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CliError(isMissing ? `There is no file ${file}.` : `${file} can't be read: ${messageOf(error)}.`);
  }
  let schema: unknown;
  try {
    schema = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${messageOf(error)}.`);
  }
  if (isObject(schema)) return schema;
  throw new CliError(`${file} must hold a JSON schema, an object such as {"type": "array", "items": …}.`);
}
