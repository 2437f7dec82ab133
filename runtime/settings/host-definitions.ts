import { z } from 'zod';
import { choice, count, name } from './schemas';
import { defineSetting } from './setting';
import { TAKEOVERS } from './takeover-definitions';

/** No host keeps more; the slots of its workers are as many, so that no browser waits for one. */
export const MAX_BROWSERS = 200;

/** Of a host and its keeper. */
export const HOSTS = {
  hostId: defineSetting({
    env: 'SUREFOOT_HOST_ID',
    schema: name(/^[\w.-]+$/).default('local'),
    doc: 'Name of this machine among browser hosts; unique for each.',
  }),
  chromiumPath: defineSetting({
    env: 'CHROMIUM_PATH',
    schema: z.string().optional(),
    doc: 'Path of Chromium or Chrome.',
    otherwise: 'searched for',
  }),
  headlessShellPath: defineSetting({
    env: 'HEADLESS_SHELL_PATH',
    schema: z.string().optional(),
    doc: 'Path of a chrome-headless-shell, in which headless sessions run with less work; `auto`: the one beside Chromium.',
    otherwise: 'Chromium itself',
  }),
  firefoxPath: defineSetting({
    env: 'FIREFOX_PATH',
    schema: z.string().optional(),
    doc: "Path of a [Firefox](../other-browsers.md); without it Playwright's own build, else the system's.",
    otherwise: 'searched for',
  }),
  chromeSandbox: defineSetting({
    env: 'SUREFOOT_CHROME_SANDBOX',
    schema: choice('prefer', 'require', 'off').default('prefer'),
    doc: "[Chrome's sandbox](../security.md#chromes-sandbox) where root starts the keeper: used where that is possible, else a warning (`prefer`); always (`require`); never (`off`).",
  }),
  maxBrowsers: defineSetting({
    env: 'SUREFOOT_MAX_BROWSERS',
    schema: count(1).max(MAX_BROWSERS).optional(),
    doc: 'How many browsers this host keeps; sessions beyond it wait.',
    otherwise: 'by memory and cores',
  }),
  pauseReleaseMs: defineSetting({
    env: 'SUREFOOT_PAUSE_RELEASE_MS',
    schema: count(0).default(600_000),
    doc: "A longer pause releases the session's browser; 0 always keeps it.",
  }),
  ...TAKEOVERS,
  endBrowsers: defineSetting({
    env: 'SUREFOOT_END_BROWSERS',
    schema: z.string().optional(),
    doc: '`1`: a keeper that ends takes its Chromes with it.',
  }),
};
