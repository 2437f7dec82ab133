import type { Page } from 'playwright';
import { z } from 'zod';
import { BrowserToolResultSchema, type BrowserToolResult } from '../../contracts/tasks/agent-loop';

export interface PageTools {
  page: Page;
  /** The script ../extension/page-tools.js. */
  script: string;
  /** Element numbers are never reused, even across pages, so that a stale number can't match another element. */
  nextId: number;
}

/** Whether the page navigated away during the call. */
const LEFT = /context was destroyed|Cannot find context/;

const AnswerSchema = BrowserToolResultSchema.extend({ nextId: z.number().optional() });

/**
 * Calls a function of ../extension/page-tools.js in a page. The script is injected with each call, because the page may
 * change between two calls. A call that only reads is repeated on the new page; one that acts is not.
 */
export async function callPage(
  tools: PageTools,
  name: 'readPage' | 'find' | 'formInput' | 'pageText' | 'locate',
  input: object,
): Promise<BrowserToolResult> {
  const given = JSON.stringify({ ...input, firstId: tools.nextId });
  const ask = (): Promise<unknown> =>
    tools.page.evaluate(`${tools.script}\nglobalThis.surefootPageTools.${name}(${given})`);
  const answer = await ask().catch((error: Error) => {
    if (name === 'formInput' || !LEFT.test(error.message)) throw error;
    return ask();
  });
  const { nextId, ...result } = AnswerSchema.parse(answer);
  tools.nextId = nextId ?? tools.nextId;
  return result;
}
