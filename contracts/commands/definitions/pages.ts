import { z } from 'zod';
import { isHttpUrl } from '../../browsers/origins';
import { defineCommand } from '../define-command';

/** Absolute http(s), or a page the engine can show without a network (S1.A7). A `${name}` is filled in before it is checked again. */
const url = z
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
    prompt: 'open an absolute http or https address',
    summary: (parameters) => [parameters.url],
    done: (parameters) => `Opened ${parameters.url}`,
  }),
  GO_BACK: defineCommand({
    parameters: z.strictObject({}),
    effect: 'commit',
    prompt: 'go back to the page before',
    summary: () => [],
    done: () => 'Went back',
  }),
  GO_FORWARD: defineCommand({
    parameters: z.strictObject({}),
    effect: 'commit',
    summary: () => [],
    done: () => 'Went forward',
  }),
};
