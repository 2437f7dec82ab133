import type { Page } from 'playwright';
import { z } from 'zod';
import { BrowserToolResultSchema, type BrowserToolResult } from '../../contracts/tools/browser-tool-result';

export interface PageTools {
  page: Page;
  /** Of ../extension/page-tools.js. */
  script: string;
  /** No number is given twice, also not on another page: what a model read there must not fit here by accident. */
  nextId: number;
}

/** The page that was asked went away in the middle. */
const LEFT = /context was destroyed|Cannot find context/;

const AnswerSchema = BrowserToolResultSchema.extend({ nextId: z.number().optional() });

/**
 * Calls one of the functions that ../extension/page-tools.js defines in a page; they come with the call, as between two
 * round trips there may be another page. What only looks is asked of that one instead, what acts is not.
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
