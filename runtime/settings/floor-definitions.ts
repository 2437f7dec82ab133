import { isEngineVariable } from './floors/environment-names';
import { BudgetJson, choice, commaList, count } from './schemas';
import { defineSetting } from './setting';

/** The variables that requests may name in a local stack whose operator has listed none. */
export const DEMO_SECRETS = ['SHOP_PASSWORD'];

/** What requests can't lower; the API, the CLI and the engine workers check it. */
export const FLOORS = {
  floors: {
    approvalMode: defineSetting({
      env: 'SUREFOOT_APPROVAL_FLOOR',
      schema: choice('yolo', 'default', 'always').default('yolo'),
      doc: 'The approval mode that asks least which a request may choose.',
    }),
    models: defineSetting({
      env: 'SUREFOOT_ALLOWED_MODELS',
      schema: commaList(),
      doc: 'The models that requests may name; a name may end with `*`.',
      otherwise: 'all',
    }),
    budget: defineSetting({
      env: 'SUREFOOT_MAX_BUDGET',
      schema: BudgetJson.optional(),
      doc: 'The most that a budget of a request may allow, as JSON; without SUREFOOT_BUDGET also the budget of sessions that name none.',
    }),
    waitEveryMs: defineSetting({
      env: 'SUREFOOT_SHORTEST_WAIT_MS',
      schema: count(100).default(60_000),
      doc: 'How often at most a step that waits on the world may look: no look follows another one sooner.',
    }),
    clientQueues: defineSetting({
      env: 'SUREFOOT_CLIENT_QUEUES',
      schema: commaList(),
      doc: "Task queues of callers' processes that requests may name; a name may end with `*`.",
      otherwise: 'all',
    }),
    envSecrets: defineSetting({
      env: 'SUREFOOT_ENV_SECRETS',
      schema: commaList().refine((names) => !names.some(isEngineVariable), {
        error:
          'expected names of variables that are no settings of the engine (SUREFOOT_…, TEMPORAL_…, VAULT_…, PG…, DATABASE_URL)',
      }),
      doc: 'Environment variables of the workers that requests may name as `{"env": "NAME"}`; `SHOP_PASSWORD` in the local stack.',
    }),
    secretReferences: defineSetting({
      env: 'SUREFOOT_SECRET_REFERENCES',
      schema: commaList(),
      doc: 'Places in secret managers that requests may name as `{"from": "vault:…"}`; an entry may end with `*`, such as `vault:secret/data/acme/*`.',
      otherwise: 'none',
    }),
    mailServers: defineSetting({
      env: 'SUREFOOT_MAIL_SERVERS',
      schema: commaList(),
      doc: 'IMAP servers in whose mailboxes requests may look for [codes](../signing-in.md#one-time-codes), such as `imap.example.com`; with a port where it is neither 993 nor 143.',
      otherwise: 'none',
    }),
  },
};
