import type { Page } from 'playwright';

export interface ChoosingContext {
  page: Page;
  timeoutMs: number;
  signal: AbortSignal;
}
