import { z } from 'zod';
import { defineCommand } from '../define-command';
import { toElementText } from '../element-text';
import { maxCharacters, selector } from './members';

export const VARIABLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

export const readingCommands = {
  SAVE_VARIABLE: defineCommand({
    parameters: z.strictObject({ selector, variableName: z.string().regex(VARIABLE_NAME) }),
    effect: 'pure',
    onlyLooks: true,
    prompt: 'keep the text of an element under a name',
    summary: ({ selector: element, variableName }) => [
      toElementText(element),
      variableName !== undefined && `as ${variableName}`,
    ],
  }),
  READ_TEXT: defineCommand({
    parameters: z.strictObject({ maxCharacters }),
    effect: 'pure',
    onlyLooks: true,
    summary: () => [],
  }),
  EXTRACT: defineCommand({
    parameters: z.strictObject({
      schema: z
        .record(z.string(), z.unknown())
        .describe(
          'a JSON schema: {type: "array", items: {type: "object", properties}} or {type: "object", properties}',
        ),
    }),
    effect: 'pure',
    onlyLooks: true,
    tool: {
      name: 'extract',
      description:
        'Data of the page as JSON. The schema is an object whose properties are read from labels, fields and headings of these names, or an array of objects whose properties are columns of a table or parts of repeated items.',
      classification: 'read',
      summary: () => 'Read data of the page',
    },
    summary: () => [],
  }),
};
