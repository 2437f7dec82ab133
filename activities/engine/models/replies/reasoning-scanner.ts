import type { z } from 'zod';
import { AIResponseSchema, type AIResponse } from '../../../../contracts/models/ai-response';

const ReasoningSchema: z.ZodType<AIResponse['reasoning']> = AIResponseSchema.in.shape.reasoning;

/**
 * Finds the `reasoning` member of a reply while the reply is streamed. The returned function takes each delta; it returns
 * the reasoning once, with the delta that completes it.
 */
export function createReasoningScanner(): (delta: string) => AIResponse['reasoning'] | undefined {
  let text = '';
  let at = 0;
  let depth = 0;
  let isInString = false;
  let isDone = false;
  /** Where the value of the member begins. */
  let start: number | undefined;
  let key = '';
  let stringStart = 0;

  function step(character: string): AIResponse['reasoning'] | undefined {
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') {
        isInString = false;
        if (depth === 1 && start === undefined) key = text.slice(stringStart, at);
      }
      return undefined;
    }
    if (character === '"') {
      isInString = true;
      stringStart = at + 1;
    } else if (character === '{' || character === '[') {
      if (depth === 1 && character === '{' && key === 'reasoning') start = at;
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 1 && start !== undefined) return finish(start);
    }
    return undefined;
  }

  function finish(from: number): AIResponse['reasoning'] | undefined {
    isDone = true;
    try {
      return ReasoningSchema.safeParse(withPlainReasoning(JSON.parse(text.slice(from, at + 1)))).data;
    } catch {
      return undefined;
    }
  }

  return (delta) => {
    if (isDone) return undefined;
    text += delta;
    // An escape at the end of the text waits for the character that it escapes.
    for (; at < text.length && !(isInString && text[at] === '\\' && at + 1 === text.length); at += 1) {
      const found = step(text[at]!);
      if (isDone) return found;
    }
    return undefined;
  };
}

/**
 * Fills in what the schema of a reply does not ask for (reply-schema.ts), because a plain reply has no use for it. A
 * confidence above 10 is one of a hundred.
 */
export function withPlainReasoning(reasoning: Record<string, unknown>): object {
  const confidence = Number(reasoning['confidence']);
  const isPercentage = confidence > 10 && confidence <= 100;
  return {
    rationale: '',
    expectedOutcome: '',
    ...reasoning,
    ...(isPercentage ? { confidence: confidence / 100 } : {}),
  };
}
