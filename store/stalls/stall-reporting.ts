import type { Logger } from 'pino';
import { createLogger } from '../../runtime/process';
import { createStallRecorder, type StallRecorder } from './stall-recorder';
import type { WatchdogData } from './watchdog';

export interface StallReporting {
  logger: Logger;
  recorder: StallRecorder;
}

/** What says and records that a process stalls. Its modules cost 0.3 s of the processor and 30 MB: few processes need them. */
export function openReporting(where: Pick<WatchdogData, 'process' | 'hostId' | 'databaseUrl'>): StallReporting {
  return { logger: createLogger(where.process), recorder: createStallRecorder(where) };
}
