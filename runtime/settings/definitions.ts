import { z } from 'zod';
import { ConnectionsSchema } from '../../contracts/sessions/model-connections';
import { MODEL_PROFILES } from '../../contracts/models/reading';
import { DEFAULT_MODEL_LIMITS } from '../../contracts/models/model-limits';
import { amount, BudgetJson, choice, count, folder, jsonOrFile, ModelNamesSchema, name, onOrOff } from './schemas';
import { PayloadKeysSchema } from '../payloads/payload-keys';
import { API } from './api-definitions';
import { FLOORS } from './floor-definitions';
import { HOSTS } from './host-definitions';
import { FILES } from './file-definitions';
import { MAIL } from './mail-definitions';
import { NETWORK } from './network-definitions';
import { defineSetting } from './setting';
import { SECRET_SOURCES } from './secret-source-definitions';
import { STALLS } from './stall-definitions';
import { TOOL_SETTINGS } from './tool-definitions';
import { WEBHOOKS } from './webhook-definitions';

const SERVICES = {
  databaseUrl: defineSetting({
    env: 'DATABASE_URL',
    schema: z.string().optional(),
    doc: 'Postgres, as a URL.',
    otherwise: 'the local stack',
  }),
  temporalAddress: defineSetting({
    env: 'TEMPORAL_ADDRESS',
    schema: z.string().optional(),
    doc: 'The Temporal server, as `host:port`; [variables of its SDKs](../security.md#temporal) give TLS, API key and profile.',
    otherwise: 'the local stack',
  }),
  temporalNamespace: defineSetting({
    env: 'TEMPORAL_NAMESPACE',
    schema: z.string().default('default'),
    doc: 'The namespace in Temporal.',
  }),
  payloadKeys: defineSetting({
    env: 'SUREFOOT_PAYLOAD_KEYS',
    schema: PayloadKeysSchema.default([]),
    doc: '[Keys](../security.md#temporal) that encrypt what Temporal keeps, as `id=key,...`; the first one encrypts, `off` nothing.',
    otherwise: 'of `surefoot dev`: made once, `payload.keys` in SUREFOOT_HOME; else not encrypted',
  }),
  home: defineSetting({
    env: 'SUREFOOT_HOME',
    schema: folder().prefault('.surefoot'),
    doc: 'Folder of all local data.',
  }),
  usersFolder: defineSetting({
    env: 'SUREFOOT_USERS_FOLDER',
    schema: folder().prefault('/var/lib/surefoot'),
    doc: 'Where a stack of root keeps [what belongs to other users](../security.md#the-machine).',
  }),
};

const WORKERS = {
  performance: {
    maxConcurrentOperations: defineSetting({
      env: 'SUREFOOT_MAX_OPERATIONS',
      schema: count(1).max(10_000).default(100),
      doc: 'Activities that an engine worker runs at once.',
    }),
    cacheEnabled: defineSetting({
      env: 'SUREFOOT_WORKFLOW_CACHE',
      schema: onOrOff().prefault('on'),
      doc: 'Whether an engine worker keeps workflows in memory.',
    }),
    cacheTTLMs: defineSetting({
      env: 'SUREFOOT_WORKFLOW_CACHE_MS',
      schema: count(1).max(60_000).default(300),
      doc: 'How long a task waits for the worker that has its workflow. With a Temporal that has TLS or an API key the default is 10000.',
    }),
  },
  metricsAddress: defineSetting({
    env: 'SUREFOOT_METRICS',
    schema: z
      .string()
      .regex(/^[\w.:[\]-]+:\d+$/, 'expected an address such as 127.0.0.1:9464')
      .optional(),
    doc: "Address of a worker's metrics for Prometheus, such as `127.0.0.1:9464`; each further worker of the local stack takes the next port.",
  }),
  metricsExposed: defineSetting({
    env: 'SUREFOOT_METRICS_EXPOSED',
    schema: onOrOff().prefault('off'),
    doc: 'Whether other machines may reach SUREFOOT_METRICS, which asks for no token.',
  }),
  ...STALLS,
  drainMs: defineSetting({
    env: 'SUREFOOT_DRAIN_MS',
    schema: count(0).default(20_000),
    doc: 'How long a worker goes on after SIGTERM; 3000 in the local stack.',
  }),
  deployment: {
    deploymentName: defineSetting({
      env: 'SUREFOOT_DEPLOYMENT',
      schema: name(/^[\w-]+$/).default('surefoot'),
      doc: 'Name of the [worker deployment](../upgrades.md#with-build-ids) in Temporal.',
    }),
    buildId: defineSetting({
      env: 'SUREFOOT_BUILD_ID',
      schema: name(/^[\w.-]+$/).optional(),
      doc: 'Version of an engine worker in it; workers without one share all sessions.',
    }),
  },
};

const SESSIONS = {
  maxSessions: defineSetting({
    env: 'SUREFOOT_MAX_SESSIONS',
    schema: count(1).optional(),
    doc: 'How many sessions may be open; 429 beyond.',
    otherwise: '20 times the browsers of all hosts, at least 100',
  }),
  secretKey: defineSetting({
    env: 'SUREFOOT_SECRET_KEY',
    schema: z.string().min(32, 'expected at least 32 random characters').optional(),
    doc: 'Seals secrets in the database; the same for all processes ([security](../security.md)).',
    otherwise: 'made once, `secret.key` in SUREFOOT_HOME',
  }),
  uploads: defineSetting({
    env: 'SUREFOOT_UPLOADS',
    schema: folder().optional(),
    doc: 'Folder whose files sessions may upload by their names.',
  }),
  keep: {
    artifactHours: defineSetting({
      env: 'SUREFOOT_KEEP_ARTIFACT_HOURS',
      schema: amount().default(24),
      doc: "How long screenshots, DOMs, traces and downloads are kept after the session's end.",
    }),
    artifactsPerSession: defineSetting({
      env: 'SUREFOOT_KEEP_ARTIFACTS_PER_SESSION',
      schema: amount().default(100),
      doc: 'How many artifacts of each kind, the newest, are kept.',
    }),
    sessionDays: defineSetting({
      env: 'SUREFOOT_KEEP_SESSION_DAYS',
      schema: amount().default(30),
      doc: 'How long log, journal, model replies and variables are kept; then the log is 410.',
    }),
    tombstoneDays: defineSetting({
      env: 'SUREFOOT_KEEP_TOMBSTONE_DAYS',
      schema: amount().default(365),
      doc: "How long the session's row is kept, with its Idempotency-Key.",
    }),
    uploadDays: defineSetting({
      env: 'SUREFOOT_KEEP_UPLOAD_DAYS',
      schema: amount().default(7),
      doc: 'How long an uploaded file (`POST /v1/files`) is kept.',
    }),
  },
};

const MODELS = {
  model: defineSetting({
    env: 'SUREFOOT_MODEL',
    schema: ModelNamesSchema.default('rules'),
    doc: '[Models](../models.md) of sessions that name none, best first.',
  }),
  connections: defineSetting({
    env: 'SUREFOOT_CONNECTIONS',
    schema: jsonOrFile(ConnectionsSchema).prefault('{}'),
    doc: '[Model connections](../models.md#connections) that a session may name (`aiConnectionId`), as JSON or the path of a file.',
    otherwise: 'none',
  }),
  systemPromptFile: defineSetting({
    env: 'SUREFOOT_SYSTEM_PROMPT',
    schema: z.string().optional(),
    doc: 'File of a system prompt for language models, in place of the default one.',
  }),
  recipePolicy: {
    replay: defineSetting({
      env: 'SUREFOOT_REPLAY',
      schema: choice('prefer', 'off').default('prefer'),
      doc: 'Whether sessions that name no `config.replay` learn [recipes](../recipes.md) and use them in place of a model.',
    }),
    promotedBy: defineSetting({
      env: 'SUREFOOT_RECIPES_PROMOTED_BY',
      schema: choice('engine', 'person').default('engine'),
      doc: 'Who lets a new recipe be used: the engine once the session ended well, or a person (`surefoot recipes promote`).',
    }),
  },
  modelReply: defineSetting({
    env: 'SUREFOOT_MODEL_REPLY',
    schema: choice('json', 'function').default('json'),
    doc: 'Whether models reply with JSON or by calling a function.',
  }),
  modelProfile: defineSetting({
    env: 'SUREFOOT_MODEL_PROFILE',
    schema: choice(...MODEL_PROFILES).default('full'),
    doc: 'Whether the models of sessions that name no connection are [small](../models.md#reading-steps).',
  }),
  modelTimeoutMs: defineSetting({
    env: 'SUREFOOT_MODEL_TIMEOUT_SECONDS',
    schema: amount()
      .max(86_400)
      .transform((seconds) => Math.ceil(seconds * 1000))
      .optional(),
    doc: 'How long a call of a model may take in sessions that set no limit of their own.',
    otherwise: '30',
  }),
  contextWindow: defineSetting({
    env: 'SUREFOOT_CONTEXT_WINDOW',
    schema: count(1024).optional(),
    doc: 'The context window, in tokens, that [a server of your own](../models.md#a-server-of-your-own) has given its model.',
    otherwise: 'not known',
  }),
  prices: defineSetting({
    env: 'SUREFOOT_PRICES',
    schema: z.string().optional(),
    doc: '[Prices](../models.md#what-it-costs) of models, as JSON or the path of a file.',
    otherwise: 'list prices',
  }),
  budget: defineSetting({
    env: 'SUREFOOT_BUDGET',
    schema: BudgetJson.optional(),
    doc: '[Budget](../models.md#budgets) of sessions that name none, as JSON.',
  }),
  modelLimits: {
    requestsPerMinute: defineSetting({
      env: 'SUREFOOT_MODEL_REQUESTS_PER_MINUTE',
      schema: count(0).default(DEFAULT_MODEL_LIMITS.requestsPerMinute),
      doc: 'How often all workers together call a vendor [with one key](../models.md#rate-limits-and-breakers); 0 is no limit.',
    }),
    tokensPerMinute: defineSetting({
      env: 'SUREFOOT_MODEL_TOKENS_PER_MINUTE',
      schema: count(0).default(DEFAULT_MODEL_LIMITS.tokensPerMinute),
      doc: 'How many tokens all workers together use with one key; 0 is no limit.',
    }),
    breaker: {
      failures: defineSetting({
        env: 'SUREFOOT_MODEL_BREAKER_FAILURES',
        schema: count(0).default(DEFAULT_MODEL_LIMITS.breaker.failures),
        doc: 'How many outages in a minute open the breaker of a model; 0 never opens it.',
      }),
      openMs: defineSetting({
        env: 'SUREFOOT_MODEL_BREAKER_SECONDS',
        schema: amount()
          .transform((seconds) => seconds * 1000)
          .prefault(DEFAULT_MODEL_LIMITS.breaker.openMs / 1000),
        doc: 'How many seconds an open breaker keeps a model from being called.',
      }),
    },
  },
  modelCassette: defineSetting({
    env: 'SUREFOOT_MODEL_CASSETTE',
    schema: choice('record', 'replay').optional(),
    doc: '[Records](../models.md#recordings) calls of models in files, or replays them.',
  }),
  modelCassetteFolder: defineSetting({
    env: 'SUREFOOT_MODEL_CASSETTE_FOLDER',
    schema: z.string().optional(),
    doc: 'Folder of the recordings.',
    otherwise: '`cassettes` in SUREFOOT_HOME',
  }),
};

/** The sections of docs/reference/settings.md. */
export const SECTIONS = {
  Services: SERVICES,
  'Browser hosts': HOSTS,
  'Network of sessions': NETWORK,
  'Floors for requests': FLOORS,
  Workers: WORKERS,
  Sessions: SESSIONS,
  Models: MODELS,
  Tools: TOOL_SETTINGS,
  'Secret managers': SECRET_SOURCES,
  Files: FILES,
  Webhooks: WEBHOOKS,
  Mail: MAIL,
  API,
};

/** What a process reads of its environment when it starts, by the names that the code uses. */
export const SETTINGS = {
  ...SERVICES,
  ...HOSTS,
  ...NETWORK,
  ...FLOORS,
  ...WORKERS,
  ...SESSIONS,
  ...MODELS,
  ...TOOL_SETTINGS,
  ...SECRET_SOURCES,
  ...FILES,
  ...WEBHOOKS,
  ...MAIL,
  ...API,
};
