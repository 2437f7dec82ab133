import { randomUUID } from 'node:crypto';
import { connect } from '../database/connect';
import { createStalls, type Stalls } from './stalls';
import type { Suspects } from './suspects';
import type { WatchdogData } from './watchdog';

/** A stall that has not ended, with what the log says of it. */
export interface OpenStall {
  ids: string[];
  facts: Record<string, unknown>;
  isRecorded: Promise<void>;
}

export interface StallRecorder {
  record(stall: OpenStall, suspects: Suspects, stack: string): Promise<void>;
  end(stall: OpenStall): Promise<void>;
}

/** Records stalls over a connection of its own, which is opened with the first. A database that is away is tried again. */
export function createStallRecorder({
  process: name,
  hostId,
  databaseUrl,
}: Pick<WatchdogData, 'process' | 'hostId' | 'databaseUrl'>): StallRecorder {
  let opened: Stalls | undefined;
  const stalls = (): Stalls => (opened ??= createStalls(connect(databaseUrl, { maxConnections: 1 })));
  return {
    async record(stall, { works, isCertain }, stack) {
      for (const { name: work, sessionId, key: workKey } of works) {
        const stallId = randomUUID();
        stall.ids.push(stallId);
        const row = { stallId, sessionId, name: work, workKey, isCertain, process: name, hostId, stack };
        await untilDone(() => stalls().record(row));
      }
    },
    async end({ ids, isRecorded }) {
      await isRecorded;
      if (ids.length > 0) await untilDone(() => stalls().end(ids));
    },
  };
}

const RETRY_MS = 500;
const MOST_TRIES = 20;

async function untilDone(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch {
      // The log has the stall all the same.
      if (tries >= MOST_TRIES) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
