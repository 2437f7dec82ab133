import type { ConversationResult, PromptPart } from '../../../contracts/model-port/language-model';
import { parseObject } from '../../../contracts/json';

export function promptText(parts: readonly PromptPart[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

export function imagesOf(parts: readonly PromptPart[]): PromptPart[] {
  return parts.filter(({ kind }) => kind === 'image');
}

/** The images of results, each after a text that names its call: not every vendor takes an image in a result. */
export function labelledImages(results: readonly ConversationResult[]): PromptPart[] {
  return results.flatMap(({ call: { name }, parts }, index) =>
    imagesOf(parts).flatMap((image): PromptPart[] => [
      { kind: 'text', text: `Image of result ${index + 1} (${name}):` },
      image,
    ]),
  );
}

/** The arguments of a call as an object; empty for text that is none, with which a vendor refuses the conversation. */
export function argumentsObject(args: string): Record<string, unknown> {
  return parseObject(args) ?? {};
}

/** A name that every vendor accepts. A model may call a function of a name that vendors refuse a conversation with. */
export function toFunctionName(name: string): string {
  return /^[a-zA-Z_][\w-]{0,63}$/.test(name) ? name : `_${name.replaceAll(/[^\w-]/g, '_')}`.slice(0, 64);
}
