import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../runtime/process';
import { EvidenceFile } from './evidence-file';
import { EvidenceLog } from './evidence-log';

/** The evidence of this host by session: kept from the first Chrome of a session until the session lets go of it. */
export interface EvidenceLogs {
  /** The session's log; begun when there is none. */
  of(sessionId: string): EvidenceLog;
  find(sessionId: string): EvidenceLog | undefined;
  remove(sessionId: string): void;
  /** Says of the Chromes of all other sessions that they are gone. */
  endAllBut(running: ReadonlySet<string>): void;
}

const FILE_NAME = /^\.evidence-(.+)\.jsonl$/;
/** A session that went on elsewhere asks no more here; the longest one there can be has ended by then. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/** Reads what earlier keepers wrote beside the browsers' folders: it has to stay when a folder goes with its Chrome. */
export function openEvidenceLogs(root: string, logger: Logger): EvidenceLogs {
  const logs = new Map<string, EvidenceLog>();
  const pathOf = (sessionId: string): string => join(root, `.evidence-${sessionId}.jsonl`);
  const open = (sessionId: string): EvidenceLog => {
    const log = new EvidenceLog(new EvidenceFile(pathOf(sessionId), logger));
    logs.set(sessionId, log);
    return log;
  };
  /** When each was first seen without a Chrome, by this keeper's own running time. */
  const unwatchedSince = new Map<string, number>();
  const remove = (sessionId: string): void => {
    logs.get(sessionId)?.remove();
    logs.delete(sessionId);
    unwatchedSince.delete(sessionId);
  };
  const removeForgotten = (): void => {
    const now = performance.now();
    for (const [sessionId, log] of logs) {
      const since = log.isWatching ? undefined : (unwatchedSince.get(sessionId) ?? now);
      if (since === undefined) unwatchedSince.delete(sessionId);
      else unwatchedSince.set(sessionId, since);
      if (since !== undefined && now - since > FORGOTTEN_AFTER_MS) remove(sessionId);
    }
  };
  for (const name of readdirSync(root)) {
    const sessionId = FILE_NAME.exec(name)?.[1];
    if (sessionId !== undefined) open(sessionId);
  }
  return {
    find: (sessionId) => logs.get(sessionId),
    of(sessionId) {
      removeForgotten();
      return logs.get(sessionId) ?? open(sessionId);
    },
    remove,
    endAllBut(running) {
      for (const [sessionId, log] of logs) if (!running.has(sessionId)) log.end();
    },
  };
}
