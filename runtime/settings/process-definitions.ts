import { z } from 'zod';
import { LogLevel } from '../../contracts/modules/module-config';
import { choice, oneOf, port } from './schemas';
import { defineSetting } from './setting';

/** What processes write; read before anything else. */
export const LOGGING = {
  level: defineSetting({
    env: 'LOG_LEVEL',
    schema: oneOf(Object.values(LogLevel)).prefault(LogLevel.INFO),
    doc: 'What processes write to their logs: DEBUG, INFO, WARN or ERROR.',
  }),
  format: defineSetting({
    env: 'LOG_FORMAT',
    schema: choice('json', 'text').default('json'),
    doc: 'Whether log lines are `json` or `text`.',
  }),
  debug: defineSetting({
    env: 'SUREFOOT_DEBUG',
    schema: z.string().optional(),
    doc: '`1`: the command shows the stack of an error.',
  }),
};

/** What makes processes fail on purpose; no process starts with them unless the tests say so. */
export const FAULTS = {
  fault: defineSetting({
    env: 'SUREFOOT_FAULT',
    schema: z.string().optional(),
    doc: 'Points at which a process kills or stops itself, such as `kill@after-intent:1`.',
  }),
  faultsAllowed: defineSetting({
    env: 'SUREFOOT_FAULTS_ALLOWED',
    schema: z.string().optional(),
    doc: '`for-tests`: a process may start with one of the others.',
  }),
  clock: defineSetting({
    env: 'SUREFOOT_CLOCK',
    schema: z.string().optional(),
    doc: "`by-file`: a process's clock is off by the milliseconds in a file of SUREFOOT_HOME.",
  }),
};

/** What a supervisor asks of the processes that it starts. */
export const SUPERVISION = {
  readyFile: defineSetting({
    env: 'SUREFOOT_READY_FILE',
    schema: z.string().optional(),
    doc: 'File that a process writes when it is ready; the supervisor names it.',
  }),
};

/**
 * Ports of the local stack; a taken one is replaced, unless the variable names it. Below the ranges from which systems give
 * ports to outgoing connections, so that a restarted server finds its port free.
 */
export const LOCAL_PORTS = {
  shop: defineSetting({ env: 'SHOP_PORT', schema: port(4000), doc: 'Port of the demo shop.' }),
  temporal: defineSetting({ env: 'TEMPORAL_PORT', schema: port(7233), doc: 'Port of the local Temporal server.' }),
  temporalUi: defineSetting({ env: 'TEMPORAL_UI_PORT', schema: port(8233), doc: "Port of Temporal's pages." }),
  postgres: defineSetting({ env: 'POSTGRES_PORT', schema: port(25_432), doc: 'Port of the local Postgres.' }),
};

/** Further sections of docs/reference/settings.md. */
export const PROCESS_SECTIONS = {
  'Local stack': LOCAL_PORTS,
  'Logs and errors': LOGGING,
  Supervision: SUPERVISION,
  'Fault injection': FAULTS,
};
