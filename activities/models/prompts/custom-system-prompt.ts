import { readFile } from 'node:fs/promises';
import { EngineError } from '../../failures';
import { systemPrompt } from './system';

/** What a system prompt of the operator's own may tell: `{{name}}`, or `{{metadata.name}}` for what the session was given. */
export interface TemplateValues {
  model: string;
  instruction: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** `missing`: the template is not there, and the default one is used (S1.E, PM001). */
export type CustomSystemPrompt = { kind: 'ready'; system: string } | { kind: 'missing'; error: EngineError };

/** The template of SUREFOOT_SYSTEM_PROMPT, filled in. Throws TL001 whose cause says what is wrong with it. */
export async function customSystemPrompt(path: string, facts: TemplateValues): Promise<CustomSystemPrompt> {
  let template: string;
  try {
    template = await readFile(path, 'utf8');
  } catch (cause) {
    const message = `There is no system prompt at ${path} (SUREFOOT_SYSTEM_PROMPT); the default one is used.`;
    return { kind: 'missing', error: new EngineError('PM001', message, { cause }) };
  }
  try {
    return { kind: 'ready', system: renderTemplate(template, facts) };
  } catch (cause) {
    throw new EngineError('TL001', `The question to ${facts.model} could not be written.`, { cause });
  }
}

/** Every `{{name}}` filled in; two braces that stand for nothing are PM003, a value that the session lacks is PM002. */
export function renderTemplate(template: string, { model, instruction, metadata }: TemplateValues): string {
  const known: Record<string, () => string> = {
    default: systemPrompt,
    model: () => model,
    instruction: () => instruction,
  };
  const filled = template.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const own = /^metadata\.(.+)$/.exec(name)?.[1];
    if (own !== undefined) return metadataText(own, metadata);
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    if (value !== undefined) return value();
    const names = [...Object.keys(known), 'metadata.…'].join(', ');
    throw new EngineError('PM003', `The system prompt has {{${name}}}, which stands for nothing. There is: ${names}.`);
  });
  const line = template.split('\n').findIndex((text) => text.replaceAll(/\{\{\s*[\w.]+\s*\}\}/g, '').includes('{{'));
  if (line !== -1)
    throw new EngineError(
      'PM003',
      `Line ${line + 1} of the system prompt opens {{ and does not close it after a name.`,
    );
  return filled;
}

function metadataText(name: string, metadata: TemplateValues['metadata']): string {
  const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  if (value !== undefined && value !== null) return typeof value === 'string' ? value : JSON.stringify(value);
  throw new EngineError('PM002', `The system prompt tells metadata.${name}, and this session has none.`, {
    suggestedAction: `Give config.metadata.${name} when the session is started.`,
  });
}
