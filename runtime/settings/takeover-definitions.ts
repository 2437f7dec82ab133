import { count } from './schemas';
import { defineSetting } from './setting';

/** A person at the browser of a session. */
export const TAKEOVERS = {
  takeoverMs: defineSetting({
    env: 'SUREFOOT_TAKEOVER_MS',
    schema: count(1000).default(300_000),
    doc: 'A takeover in which a person does nothing for so long is handed back.',
  }),
  takeoverDialogMs: defineSetting({
    env: 'SUREFOOT_TAKEOVER_DIALOG_MS',
    schema: count(1000).default(60_000),
    doc: 'In a takeover a dialog of the page waits for the person so long; then it is answered as always.',
  }),
};
