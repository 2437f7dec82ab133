import { anthropicFaults, anthropicRefusal } from './anthropic';
import { chatFaults } from './chat-completions';
import type { Fault } from './checks';
import { geminiFaults, geminiRefusal } from './gemini';
import { openaiRefusal, responsesFaults } from './openai-responses';

interface AskedRequest {
  path: string;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
}

/**
 * What the vendor of a path refuses of a request, in its own error form, by its published reference; undefined where it
 * takes the request.
 */
export function refusalOf({ path, body, headers }: AskedRequest): object | undefined {
  if (/generateContent|GenerateContent/.test(path)) return refused(geminiFaults(body, path), geminiRefusal);
  if (path.endsWith('/responses')) return refused(responsesFaults(body), openaiRefusal);
  if (path.endsWith('/chat/completions')) return refused(chatFaults(body), openaiRefusal);
  if (path.endsWith('/messages')) return refused(anthropicFaults(body, headers), anthropicRefusal);
  return undefined;
}

function refused(faults: Fault[], toBody: (faults: readonly [Fault, ...Fault[]]) => object): object | undefined {
  const [first, ...others] = faults;
  return first === undefined ? undefined : toBody([first, ...others]);
}
