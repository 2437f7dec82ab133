import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import type { ApiParts } from '../../api/http/context';
import { startWholeApi, type WholeApi } from '../api/whole-api';

export const PAGE_KEY = 'a-key-of-enough-characters';

export interface PageStage extends WholeApi {
  /** Serves the API with the page, by default with PAGE_KEY; resolves to its address. */
  at(callers?: ApiParts['callers']): Promise<string>;
  /** Opens a page in a profile of its own. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>;
  /** What the pages wrote into their consoles as errors: a breach of their policy is one. */
  errors: string[];
}

/** The API with its built page, on real servers, and a Chromium. */
export async function startPageStage(): Promise<PageStage> {
  const api = await startWholeApi();
  const browser: Browser = await chromium.launch({ executablePath: api.chromiumPath, args: ['--no-sandbox'] });
  const errors: string[] = [];
  return {
    ...api,
    errors,
    at: async (callers = { pageKey: PAGE_KEY }) => `http://127.0.0.1:${await api.serve(api.create(callers))}`,
    async open(address, options) {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
      page.setDefaultTimeout(60_000);
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(address);
      return page;
    },
    async stop() {
      await browser.close();
      await api.stop();
    },
  };
}
