import { z } from 'zod';
import { SECTIONS } from './definitions';
import { PROCESS_SECTIONS } from './process-definitions';
import { isSetting, type Setting, type SettingGroup } from './setting';

const HEAD = `# Settings

Environment variables of the processes, in brackets the values that one takes, where they are limited, and its default. An unusable value ends the process with the name of the variable. [Models](../models.md) has the variables of vendors.

This page is generated from runtime/settings/ by \`npm run docs\`.
`;

/** Writes docs/reference/settings.md from the definitions of the settings. */
export function describeSettings(): string {
  const sections = Object.entries({ ...SECTIONS, ...PROCESS_SECTIONS }).map(([title, group]) => {
    const items = settingsOf(group).map(({ env, schema, doc, otherwise = defaultOf(schema) }) => {
      const notes = [valuesOf(schema), otherwise];
      const said = notes.filter((note) => note !== undefined).join('; ');
      return `- \`${env}\`${said === '' ? '' : ` (${said})`}: ${doc}`;
    });
    return `\n## ${title}\n\n${items.join('\n')}\n`;
  });
  return HEAD + sections.join('');
}

/** Every setting of a group, those of nested groups among them. */
export function settingsOf(group: SettingGroup): Setting[] {
  return Object.values(group).flatMap((entry) => (isSetting(entry) ? [entry] : settingsOf(entry)));
}

function inputOf(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function defaultOf(schema: z.ZodType): string | undefined {
  const value = inputOf(schema).default;
  return value === undefined || value === '' ? undefined : `\`${JSON.stringify(value).replaceAll('"', '')}\``;
}

function valuesOf(schema: z.ZodType): string | undefined {
  const { type, enum: words, minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER } = inputOf(schema);
  if (words !== undefined) return words.map((word) => `\`${String(word)}\``).join(', ');
  if (type === 'number' && exclusiveMinimum === 0) return 'number >0';
  if (type !== 'integer') return undefined;
  return `integer ${maximum === Number.MAX_SAFE_INTEGER ? `≥${minimum}` : `${minimum}…${maximum}`}`;
}
