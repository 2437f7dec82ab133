import type { Page } from 'playwright';
import { z } from 'zod';
import { BrowserToolResultSchema, type BrowserToolResult } from '../../contracts/browser-tool';

export interface PageTools {
  page: Page;
  /** Of ../extension/page-tools.js. */
  script: string;
  /** No number is given twice, also not on another page: what a model read there must not fit here by accident. */
  nextId: number;
}

const AnswerSchema = BrowserToolResultSchema.extend({ nextId: z.number().optional() });

/** Calls one of the functions that ../extension/page-tools.js defines in a page. */
export async function callPage(
  tools: PageTools,
  name: 'readPage' | 'find' | 'formInput' | 'pageText' | 'locate',
  input: object,
): Promise<BrowserToolResult> {
  await tools.page.evaluate(tools.script);
  const given = JSON.stringify({ ...input, firstId: tools.nextId });
  const answer: unknown = await tools.page.evaluate(`globalThis.surefootPageTools.${name}(${given})`);
  const { nextId, ...result } = AnswerSchema.parse(answer);
  tools.nextId = nextId ?? tools.nextId;
  return result;
}
