import { count } from './schemas';
import { defineSetting } from './setting';

/** What the watchdog of each process does about an event loop that is kept. */
export const STALLS = {
  stallMs: defineSetting({
    env: 'SUREFOOT_STALL_MS',
    schema: count(500).default(2000),
    doc: 'How long the event loop of a process may be kept before that is logged, with what keeps it.',
  }),
  stallEndMs: defineSetting({
    env: 'SUREFOOT_STALL_END_MS',
    schema: count(1000).default(10_000),
    doc: 'How long it may be kept before the process ends itself.',
  }),
};
