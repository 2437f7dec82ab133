import { z } from 'zod';
import { defineCommand } from '../define-command';
import { url } from './pages';

export const tabCommands = {
  SWITCH_TAB: defineCommand({
    parameters: z.strictObject({
      tab: z.string().min(1).describe('`last`, `first`, `next`, a number from 1, or part of a title or address'),
    }),
    effect: 'idempotent',
    offered: { withTabs: true, words: /\btab|window/i },
    prompt: 'go to the last, first or next tab, or to one by number, title or address',
    summary: ({ tab }) => [tab !== undefined && `tab ${tab}`],
    done: ({ tab }) => `Went to the tab “${tab}”`,
  }),
  OPEN_TAB: defineCommand({
    parameters: z.strictObject({ url: url.optional() }),
    // A repeated one is a second tab, and its address may act a second time.
    effect: 'commit',
    events: [],
    offered: { words: /\btab|window/i },
    prompt: 'open a new tab and go to it, with an address or empty',
    tool: {
      name: 'open_tab',
      description: 'Opens a new tab, empty or with an absolute address, and goes to it.',
      classification: 'external',
      summary: (parameters) => `Open a new tab${parameters.url === undefined ? '' : ` with ${parameters.url}`}`,
    },
    summary: (parameters) => [parameters.url],
    done: (parameters) => `Opened a new tab${parameters.url === undefined ? '' : ` with ${parameters.url}`}`,
  }),
  CLOSE_TAB: defineCommand({
    parameters: z.strictObject({ tab: z.string().min(1).optional() }),
    // A repeated one would close another tab.
    effect: 'commit',
    events: [],
    needsPageAtRest: true,
    offered: { words: /\btab|window/i },
    prompt: 'close this tab, or one by number, title or address',
    tool: {
      name: 'close_tab',
      description:
        'Closes the tab in front, or the one that tab names: first, last, a number from 1, part of a title or address.',
      classification: 'write',
      summary: ({ tab }) => `Close ${tab === undefined ? 'this tab' : `the tab “${tab}”`}`,
    },
    summary: ({ tab }) => [tab !== undefined && `tab ${tab}`],
    done: ({ tab }) => `Closed ${tab === undefined ? 'the tab' : `the tab “${tab}”`}`,
  }),
  LIST_TABS: defineCommand({
    parameters: z.strictObject({}),
    effect: 'pure',
    onlyLooks: true,
    summary: () => [],
  }),
};
