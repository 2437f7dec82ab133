import { z } from 'zod';
import { isHttpUrl } from '../../browsers/origins';
import { defineCommand } from '../define-command';

/** Absolute http(s), or a page the engine can show without a network (S1.A7). A `${name}` is filled in before it is checked again. */
export const url = z
  .string()
  .refine(
    (value) => value.includes('${') || value === 'about:blank' || isHttpUrl(value),
    'expected an absolute http or https URL, or about:blank',
  );

/** Commands that navigate the tab. */
export const pageCommands = {
  OPEN_PAGE: defineCommand({
    parameters: z.strictObject({ url }),
    effect: 'idempotent',
    needsPageAtRest: true,
    prompt: 'open an http or https address',
    summary: (parameters) => [parameters.url],
    done: (parameters) => `Opened ${parameters.url}`,
  }),
  GO_BACK: defineCommand({
    parameters: z.strictObject({}),
    effect: 'commit',
    events: [],
    needsPageAtRest: true,
    offered: { words: /\bback\b|previous|return/i },
    prompt: 'go back to the page before',
    summary: () => [],
    done: () => 'Went back',
  }),
  GO_FORWARD: defineCommand({
    parameters: z.strictObject({}),
    effect: 'commit',
    events: [],
    needsPageAtRest: true,
    offered: { words: /forward/i },
    prompt: 'go forward to the page that was gone back from',
    summary: () => [],
    done: () => 'Went forward',
  }),
  RELOAD_PAGE: defineCommand({
    parameters: z.strictObject({}),
    effect: 'commit',
    events: [],
    needsPageAtRest: true,
    offered: { words: /reload|refresh/i },
    prompt: 'load the page of the tab again',
    tool: {
      name: 'reload',
      description: 'Loads the page of the tab again. What was typed into it is lost.',
      classification: 'write',
      summary: () => 'Load the page again',
    },
    summary: () => [],
    done: () => 'Loaded the page again',
  }),
};
