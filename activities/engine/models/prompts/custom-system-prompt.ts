import { readFile } from 'node:fs/promises';
import { EngineError } from '../../../activity/failures';
import { systemPrompt } from './system';

/** The values of the operator's template: `{{model}}`, `{{instruction}}`, and `{{metadata.name}}` of the session. */
export interface TemplateValues {
  model: string;
  instruction: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** `missing`: the file does not exist, and the default prompt is used (S1.E, PM001). */
export type CustomSystemPrompt = { kind: 'ready'; system: string } | { kind: 'missing'; error: EngineError };

/** Reads and renders the template of SUREFOOT_SYSTEM_PROMPT. Throws TL001 with PM002 or PM003 as its cause. */
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
    throw new EngineError('TL001', `The prompt for ${facts.model} could not be rendered.`, { cause });
  }
}

/** Renders a template. Throws PM003 for an unknown placeholder, PM002 for metadata that the session lacks. */
export function renderTemplate(template: string, { model, instruction, metadata }: TemplateValues): string {
  const known: Record<string, () => string> = {
    default: systemPrompt,
    model: () => model,
    instruction: () => instruction,
  };
  const filled = template.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const key = /^metadata\.(.+)$/.exec(name)?.[1];
    if (key !== undefined) return metadataText(key, metadata);
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    if (value !== undefined) return value();
    const names = [...Object.keys(known), 'metadata.…'].join(', ');
    throw new EngineError('PM003', `The system prompt has {{${name}}}, which is unknown. Known are: ${names}.`);
  });
  const line = template.split('\n').findIndex((text) => text.replaceAll(/\{\{\s*[\w.]+\s*\}\}/g, '').includes('{{'));
  if (line !== -1)
    throw new EngineError('PM003', `Line ${line + 1} of the system prompt has {{ without a name and }} after it.`);
  return filled;
}

function metadataText(name: string, metadata: TemplateValues['metadata']): string {
  const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  if (value !== undefined && value !== null) return typeof value === 'string' ? value : JSON.stringify(value);
  throw new EngineError('PM002', `The system prompt has {{metadata.${name}}}, and the session has no such metadata.`, {
    suggestedAction: `Set config.metadata.${name} when the session is started.`,
  });
}
