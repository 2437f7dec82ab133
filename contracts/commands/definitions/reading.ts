import { z } from 'zod';
import { defineCommand } from '../define-command';
import { toElementText } from '../element-text';
import { maxCharacters, selector } from './members';

export const VARIABLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** One value to read of a page: its name is compared with labels, headings and columns. */
const ExtractedFieldSchema = z.strictObject({
  name: z.string().min(1).max(200).describe('as the page labels it, e.g. unit price'),
  type: z.enum(['string', 'number', 'boolean']).optional().describe('string unless given'),
  description: z.string().max(1000).optional().describe('other words for it, where the label may differ'),
});
export type ExtractedField = z.infer<typeof ExtractedFieldSchema>;

export const extractedFields = z.array(ExtractedFieldSchema).min(1).max(50);

/** The attributes that hold data; scripts and styles are none. */
export const dataAttribute = z
  .string()
  .regex(
    /^(?:href|src|alt|title|value|datetime|content|id|data-[\w-]+)$/,
    'expected href, src, alt, title, value, datetime, content, id or data-…',
  );

/** The node that has the value of one member of a result: the `nth` of `of` that the selector matches. */
const ChosenNodeSchema = z.strictObject({
  member: z.string().min(1).max(500),
  /** Its ref in the snapshot that it was chosen from. */
  ref: z.string().min(1),
  selector: z.string().min(1),
  nth: z.int().min(0),
  of: z.int().min(1),
  attribute: dataAttribute.optional(),
});
export type ChosenNode = z.infer<typeof ChosenNodeSchema>;

export const MOST_CHOSEN = 100;

export const readingCommands = {
  SAVE_VARIABLE: defineCommand({
    parameters: z.strictObject({
      selector,
      variableName: z.string().regex(VARIABLE_NAME),
      label: z.string().min(1).max(200).optional().describe('how its text begins and what is not saved: Total'),
      as: z.enum(['number']).optional().describe('saves the one number of the text, without unit and thousands'),
    }),
    effect: 'pure',
    onlyLooks: true,
    needsPageAtRest: true,
    rare: ['label', 'as'],
    offered: { words: /save|keep|store|remember|note|copy|read|extract|\bas \w+$/i },
    prompt: 'keep its text under a name',
    summary: ({ selector: element, variableName }) => [
      toElementText(element),
      variableName !== undefined && `as ${variableName}`,
    ],
  }),
  READ_TEXT: defineCommand({
    parameters: z.strictObject({ maxCharacters }),
    effect: 'pure',
    onlyLooks: true,
    needsPageAtRest: true,
    summary: () => [],
  }),
  /** Without fields it reads what the task is to return, and keeps it. */
  EXTRACT: defineCommand({
    parameters: z.strictObject({
      fields: extractedFields.optional(),
      rows: z.boolean().optional(),
      chosen: z.array(ChosenNodeSchema).min(1).max(MOST_CHOSEN).optional(),
    }),
    effect: 'pure',
    onlyLooks: true,
    needsPageAtRest: true,
    summary: () => [],
  }),
};
