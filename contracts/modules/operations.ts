import { z } from 'zod';
import { WaitsForSchema } from '../sessions/session-list';

/** How far back the figures go, and what one point of them is: hours of a day, else days. */
export const PERIODS = {
  day: { unit: 'hour', slots: 24 },
  week: { unit: 'day', slots: 7 },
  month: { unit: 'day', slots: 30 },
} as const;
export const PeriodSchema = z.enum(['day', 'week', 'month']);
export type Period = z.infer<typeof PeriodSchema>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const OperationsQuerySchema = z.object({
  period: PeriodSchema.default('week'),
  timeZone: z
    .string()
    .max(100)
    // An offset such as +02:00 means the contrary to Postgres.
    .refine(
      (name) => /^[A-Za-z]/.test(name) && isTimeZone(name),
      'expected the name of a time zone, such as Europe/Vienna',
    )
    .default('UTC')
    .meta({ description: 'In which days and hours begin', example: 'Europe/Vienna' }),
  tenant: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Whose sessions, queue, cost and failures; of all tenants where it is left out' }),
});
export type OperationsQuery = z.infer<typeof OperationsQuerySchema>;

const HostSchema = z.object({
  hostId: z.string(),
  reports: z.boolean().meta({ description: 'Its keeper has reported within the last seconds' }),
  silentForMs: z.number(),
  browsers: z.number().meta({ description: 'In use' }),
  capacity: z.number(),
});

export const ProcessRoleSchema = z.enum(['engine', 'browser', 'api']);
export type ProcessRole = z.infer<typeof ProcessRoleSchema>;
const ProcessesSchema = z.object({
  role: ProcessRoleSchema.meta({ description: 'Engine workers, browser workers or APIs' }),
  version: z.string(),
  count: z.number(),
});

const ModelNowSchema = z.object({
  model: z.string(),
  state: z.enum(['open', 'trying', 'closed']).meta({
    description: '`open`: it is not called before `openUntil`. `trying`: the next call shows whether it is back',
  }),
  failures: z.number().meta({ description: 'Outages in a row, or within a minute' }),
  openUntil: z.coerce.date().optional(),
});

const RateSchema = z.object({
  models: z.array(z.string()).meta({ description: 'Called with this key in the last minute' }),
  calls: z.number(),
  tokens: z.number(),
  waiting: z.number().meta({ description: 'Calls that have a place in the minutes to come' }),
  lastPlaceInMs: z.number().optional().meta({ description: 'When the last of them may be made' }),
});

const LimitsSchema = z.object({
  requestsPerMinute: z.number().meta({ description: '0 is no limit' }),
  tokensPerMinute: z.number().meta({ description: '0 is no limit' }),
  breakerFailures: z.number(),
  breakerOpenMs: z.number(),
});

const RetentionSchema = z.object({
  artifactHours: z.number(),
  artifactsPerSession: z.number(),
  sessionDays: z.number(),
  tombstoneDays: z.number(),
  uploadDays: z.number(),
  databaseBytes: z.number(),
  oldestLogEndedAt: z.coerce
    .date()
    .optional()
    .meta({ description: 'When the oldest session has ended whose log is kept' }),
});

const SlotSchema = z.object({
  at: z.coerce.date().meta({ description: 'When the hour or day begins' }),
  started: z.number(),
  completed: z.number(),
  failed: z.number(),
  cancelled: z.number(),
  open: z.number().meta({ description: 'Open sessions at its end, or now' }),
  browsers: z.number().meta({ description: 'The most browsers in use at once, of all tenants, by the minute' }),
  browsersWaiting: z.number().meta({ description: 'The most sessions that waited for a browser at once' }),
  calls: z.number().meta({ description: 'Calls of models' }),
  failedCalls: z.number(),
  tokens: z.number(),
  cost: z.string().meta({ description: 'In US dollars; calls without a known price are left out' }),
});

const ModelSpentSchema = z.object({
  model: z.string(),
  calls: z.number(),
  failedCalls: z.number(),
  tokens: z.number(),
  cost: z.string(),
  unpricedCalls: z.number(),
});

const FailuresSchema = z.object({
  code: z.string(),
  count: z.number(),
  newestSessionId: z.string(),
  newestAt: z.coerce.date(),
  newestMessage: z.string(),
  suggestedAction: z.string().optional(),
});

export const TroubleSchema = z.object({
  kind: z.enum([
    'no-engine-worker',
    'no-browser-worker',
    'no-host',
    'host-silent',
    'versions-differ',
    'browsers-used-up',
    'queue-stands',
    'breaker-open',
    'rate-limit',
    'person-needed',
    'store-rolled-back',
    'webhooks-failed',
    'retention-late',
  ]),
  severity: z.enum(['bad', 'warning']).meta({ description: '`bad`: sessions can not go on, or something is lost' }),
  message: z.string(),
  action: z.string().meta({ description: 'What to do' }),
  path: z.string().optional().meta({ description: 'A view of the web page that helps' }),
});
export type Trouble = z.infer<typeof TroubleSchema>;

/** What an operator looks at: what runs and waits now, and what came of it over a period. */
export const OperationsSchema = z.object({
  troubles: z.array(TroubleSchema).meta({ description: 'The worst first; none where all is well' }),
  hosts: z.array(HostSchema),
  processes: z.array(ProcessesSchema),
  sessions: z.object({
    open: z.number(),
    waitingForPerson: z.array(z.object({ waitsFor: WaitsForSchema, count: z.number() })),
    webhooksFailed: z.number().meta({ description: 'Of the period' }),
  }),
  queue: z.object({ waiting: z.number(), longestWaitMs: z.number() }),
  models: z.array(ModelNowSchema),
  rates: z.array(RateSchema).meta({ description: 'Of each key of a vendor, in the last minute' }),
  limits: LimitsSchema.meta({ description: 'As the environment of this API has them' }),
  retention: RetentionSchema.meta({ description: 'As the environment of this API has it' }),
  history: z.array(SlotSchema).meta({ description: 'The oldest first; the last one is under way' }),
  spent: z.array(ModelSpentSchema).meta({ description: 'Of the period, by model, the dearest first' }),
  failures: z.array(FailuresSchema).meta({ description: 'Of the period, by error code, the most frequent first' }),
});
export type Operations = z.infer<typeof OperationsSchema>;
