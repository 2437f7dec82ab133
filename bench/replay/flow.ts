import type { Page } from 'playwright';
import type { StartRequest } from '../../contracts/sessions/start-request';

/** One flow in both forms: steps in English, and the same commands as a script for Playwright. */
export interface Flow {
  name: string;
  steps: string[];
  script(page: Page, shop: string, run: string): Promise<unknown>;
}

/** A session that does the flow; `run` labels what it does at the shop. */
export function requestOf({ steps }: Flow, shop: string, run: string, config: StartRequest['config']): StartRequest {
  return {
    steps,
    variables: { shop, run, password: { env: 'SHOP_PASSWORD' } },
    config: { executorConfig: { screenshotsEnabled: false }, ...config },
  };
}
