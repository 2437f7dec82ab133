import Ajv, { type ErrorObject, type Format, type KeywordDefinition, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats';
import { canonicalJson } from '../../contracts/json';
import type { JsonSchema } from '../../contracts/results/result-request';
import { toLinearPattern, type LinearPattern } from './linear-pattern';

/** Longer texts fit no format: that of `url` takes a time that grows with the square of the length. */
const LONGEST_FORMATTED = 8192;

/** Callers' schemas are of draft 2020-12; those of tools and of MCP servers of draft 7, where they do not say otherwise. */
export type Draft = '2020-12' | 'draft-07';

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  // A member is what a value has itself: not `constructor` and `toString`, which every object inherits.
  ownProperties: true,
  // The same reference in many places is compiled once.
  inlineRefs: false,
  logger: false,
  // What ajv has of flags is `u`, which is what patterns are parsed by.
  code: { regExp: Object.assign((source: string): LinearPattern => toLinearPattern(source), { code: 'unused' }) },
};

/** Made when it is first needed: that takes some milliseconds. */
let meta: Ajv2020 | undefined;

/** What is wrong with a schema by the meta schema that it names, or by that of draft 2020-12. */
export function metaErrors(schema: JsonSchema): ErrorObject[] {
  if (meta === undefined) {
    meta = new Ajv2020({ strict: false, allErrors: true, logger: false });
    addFormats(meta);
    meta.addMetaSchema(draft7);
    // Patterns are parsed for themselves, which says more of what is wrong.
    meta.addFormat('regex', true);
  }
  return meta.validateSchema(schema) === true ? [] : (meta.errors ?? []);
}

/**
 * Compiles a schema by an instance of its own: in one for all, the `$id` of one schema would answer the references of
 * another. Nothing is fetched. Throws where the schema can't be compiled.
 */
export function compileSchema(schema: JsonSchema, draft: Draft): ValidateFunction {
  const { $schema: said, ...rest } = schema;
  const isNew = draft === '2020-12' || (typeof said === 'string' && /20(?:19-09|20-12)/.test(said));
  const options = { ...OPTIONS, meta: false, validateSchema: false } as const;
  const own = isNew ? new Ajv2020(options) : new Ajv(options);
  for (const [name, format] of Object.entries(fullFormats)) own.addFormat(name, bounded(format));
  own.removeKeyword('uniqueItems');
  own.addKeyword(uniqueItems);
  return own.compile(rest);
}

/** In time linear in the number of items: ajv compares each with each other. */
const uniqueItems: KeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must NOT have duplicate items' },
  validate: (isWanted: boolean, items: unknown[]): boolean =>
    !isWanted || new Set(items.map(canonicalJson)).size === items.length,
};

/** A format of texts without those that are too long. */
function bounded(format: Format): Format {
  const check = format instanceof RegExp ? (text: string) => format.test(text) : toCheck(format);
  return check === undefined ? format : (text: string) => text.length <= LONGEST_FORMATTED && check(text);
}

/** Undefined for a format of numbers, and for one that takes every text. */
function toCheck(format: Exclude<Format, RegExp>): ((text: string) => boolean) | undefined {
  if (typeof format === 'function') return format;
  if (typeof format !== 'object' || format.type === 'number') return undefined;
  const { validate } = format;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  return typeof validate === 'function' ? (validate as (text: string) => boolean) : undefined;
}
