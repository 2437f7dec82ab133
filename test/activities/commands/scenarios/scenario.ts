import type { RequestListener } from 'node:http';
import type { Page } from 'playwright';
import type { Called } from '../../../support/tool-caller';

/** What a scenario works with: the tools as a model has them, and the page as it really is. */
export interface Hands {
  /** The address of the scenario's own page, which is open. */
  url: string;
  /** Serves this under another address. */
  serve(path: string, content: string | RequestListener): string;
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  /** Calls a tool; resolves to the text of its answer. */
  use(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The page as read_page shows it. */
  read(filter?: 'interactive'): Promise<string>;
  /** The ref of the element that is shown with this name. */
  ref(name: string): Promise<string>;
  /** Clicks what has this name; resolves to the text of the answer. */
  click(name: string, more?: Record<string, unknown>): Promise<string>;
  fill(name: string, value: string | number | boolean): Promise<string>;
  /** The page in front, past the tools. */
  page(): Page;
  /** What the page says of itself, past the tools. */
  value<T = unknown>(expression: string): Promise<T>;
}

/**
 * One situation in which the tools of the browser must do the right thing. The situations are those that Playwright's own
 * MCP server is tested in, where its tools and ours mean the same.
 */
export interface Scenario {
  title: string;
  html?: string;
  /** It leaves tabs or other things behind: it has a session of its own. */
  isAlone?: true;
  /** It waits for what does not come: no longer than this. */
  limitMs?: number;
  run(hands: Hands): Promise<void>;
}
