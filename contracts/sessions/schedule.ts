import { z } from 'zod';
import { CalendarSchema } from './schedule-calendar';
import { DurationSchema, durationMs } from './schedule-duration';
import { SessionStatus } from './session';
import { StartRequestSchema } from './start-request';
import { enumOf } from '../enum-of';

/** The name of a schedule. One of Temporal's own may have any. */
export const ScheduleIdSchema = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'expected 1 to 100 letters, digits, dots, dashes and underscores');

const CronSchema = z
  .string()
  .trim()
  .regex(
    /^(?!(?:CRON_)?TZ=)\S.{0,199}$/,
    'expected a cron expression, such as "0 3 * * *"; the time zone goes into timeZone',
  );

/** An interval, and from when on it is counted, as Temporal writes both. */
const EverySchema = z
  .string()
  .regex(/^[^/]+(?:\/[^/]+)?$/, 'expected a time such as "10m", or with an offset "1h/15m"')
  .superRefine((text, context) => {
    const [interval = '', offset] = text.split('/');
    const isTime = (part: string): boolean => DurationSchema.safeParse(part).success;
    if (!isTime(interval) || (offset !== undefined && !isTime(offset)))
      context.addIssue('expected a number with s, m, h or d, such as "10m", or with an offset "1h/15m"');
    else if (offset !== undefined && durationMs(offset) >= durationMs(interval))
      context.addIssue(`the offset ${offset} has to be shorter than ${interval}`);
  });

const MOST_TIMES = 20;
const oneOrMore = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1).max(MOST_TIMES)]);

/** What is done when a start is due while a session of the schedule is open, as Temporal has it. */
export const ScheduleOverlapSchema = z.enum([
  'skip',
  'buffer-one',
  'buffer-all',
  'cancel-other',
  'terminate-other',
  'allow-all',
]);
export type ScheduleOverlap = z.infer<typeof ScheduleOverlapSchema>;

const MIN_CATCH_UP_MS = 10_000;
const NoteSchema = z.string().trim().min(1, 'expected a note, or none at all').max(500);

/** When it starts sessions, and what is done where something is in the way. */
const TIMES = {
  cron: oneOrMore(CronSchema).optional().meta({ description: 'When: minute, hour, day of month, month, day of week' }),
  every: oneOrMore(EverySchema).optional().meta({ description: 'When: an interval, such as `10m` or `1h/15m`' }),
  calendar: oneOrMore(CalendarSchema).optional().meta({ description: 'When: times whose members all match' }),
  timeZone: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Of `cron` and `calendar`; UTC where it is left out', example: 'Europe/Vienna' }),
  overlap: ScheduleOverlapSchema.optional().meta({
    description: 'What is done when a start is due while a session of it is open; `skip` where it is left out',
  }),
  catchUp: DurationSchema.refine((text) => durationMs(text) >= MIN_CATCH_UP_MS, 'expected at least 10s')
    .optional()
    .meta({ description: 'How late a start may be after an outage of Temporal; a year where it is left out' }),
  note: NoteSchema.optional(),
};

/** Body of `POST /v1/schedules`. What it starts is validated as a start is. */
export const ScheduleRequestSchema = z
  .strictObject({
    id: ScheduleIdSchema.meta({ description: 'Its name in Temporal, and the beginning of the names of its sessions' }),
    ...TIMES,
    paused: z.boolean().optional(),
    request: StartRequestSchema.meta({ description: 'What it starts: the body of `POST /v1/sessions`' }),
  })
  .refine(hasTimes, { error: 'say when: cron, such as "0 3 * * *", every, such as "10m", or calendar' });
export type ScheduleRequest = z.infer<typeof ScheduleRequestSchema>;

/** Whether it says when sessions start. */
export function hasTimes({ cron, every, calendar }: { cron?: unknown; every?: unknown; calendar?: unknown }): boolean {
  return (cron ?? every ?? calendar) !== undefined;
}

/** Body of `PATCH /v1/schedules/{id}`: what is left out stays. `cron`, `every` and `calendar` are changed together. */
export const UpdateScheduleSchema = z
  .strictObject({
    ...TIMES,
    request: StartRequestSchema.optional().meta({ description: 'What it starts from now on' }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'say what to change: cron, every, calendar, timeZone, overlap, catchUp, note or request',
  });
export type UpdateSchedule = z.infer<typeof UpdateScheduleSchema>;

/** Body of a pause or a resumption. */
export const ScheduleNoteSchema = z.strictObject({ note: NoteSchema.optional() });
export type ScheduleNote = z.infer<typeof ScheduleNoteSchema>;

export const TriggerScheduleSchema = z.strictObject({
  overlap: ScheduleOverlapSchema.optional().meta({ description: 'In place of that of the schedule' }),
});
export type TriggerSchedule = z.infer<typeof TriggerScheduleSchema>;

const InstantSchema = z.iso.datetime({
  offset: true,
  error: 'expected a time with its offset, such as 2026-03-01T03:00:00Z',
});

export const BackfillScheduleSchema = z
  .strictObject({
    from: InstantSchema,
    to: InstantSchema,
    overlap: ScheduleOverlapSchema.optional().meta({
      description: '`buffer-all`, one session after the other, where it is left out',
    }),
  })
  .refine(({ from, to }) => Date.parse(from) <= Date.parse(to), { path: ['to'], error: 'expected a time after from' });
export type BackfillSchedule = z.infer<typeof BackfillScheduleSchema>;

/** A session that a schedule has started. */
const ScheduledSessionSchema = z.object({
  sessionId: z.string(),
  workflowId: z.string(),
  scheduledAt: z.coerce.date(),
  startedAt: z.coerce.date(),
});

/** A schedule as lists have it. Calendars are shown as cron expressions. */
export const ScheduleSchema = z.object({
  id: z.string(),
  tenant: z.string(),
  cron: z.array(z.string()),
  every: z.array(z.string()),
  timeZone: z.string(),
  paused: z.boolean(),
  note: z.string().optional(),
  /** The next few starts; none while it is paused. */
  nextStarts: z.array(z.coerce.date()),
  /** The newest few sessions, the newest first. */
  sessions: z.array(ScheduledSessionSchema),
});
export type Schedule = z.infer<typeof ScheduleSchema>;

export const ScheduleDetailsSchema = ScheduleSchema.extend({
  overlap: ScheduleOverlapSchema,
  catchUp: z.string(),
  createdAt: z.coerce.date(),
  /** Starts so far; those that were missed by more than `catchUp`, and those that were skipped because of another session. */
  counts: z.object({ started: z.number(), missed: z.number(), skipped: z.number() }),
  /** `status` is absent before the session has begun. */
  sessions: z.array(ScheduledSessionSchema.extend({ status: enumOf<SessionStatus>(SessionStatus).optional() })),
  /** What it starts, as it is stored; a value of a secret is never shown. */
  request: z.record(z.string(), z.unknown()),
});
export type ScheduleDetails = z.infer<typeof ScheduleDetailsSchema>;

/** Of a start that was asked for: `reason` says why it may come later, or not at all. */
export const TriggeredSchema = z.object({ triggered: z.literal(true), reason: z.string().optional() });
export type Triggered = z.infer<typeof TriggeredSchema>;
