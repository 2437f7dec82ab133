import { count } from './schemas';
import { defineSetting } from './setting';

/** A person at the browser of a session. */
export const TAKEOVERS = {
  takeoverMs: defineSetting({
    env: 'SUREFOOT_TAKEOVER_MS',
    schema: count(1000).default(300_000),
    doc: 'A takeover in which a person does nothing for so long is handed back.',
  }),
};
