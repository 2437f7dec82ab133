import type { client } from '../connection/client';

/** Begins the keys of all that is read of schedules. */
export const SCHEDULES = 'schedules';

export type Schedule = Awaited<ReturnType<typeof client.listSchedules>>[number];
export type ScheduleDetails = Awaited<ReturnType<typeof client.showSchedule>>;
