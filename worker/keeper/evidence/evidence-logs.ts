import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileSystemTime } from '../../../runtime/file-system-time';
import type { Logger } from '../../../runtime/process';
import { EvidenceFile } from './evidence-file';
import { EvidenceLog } from './evidence-log';

/** The evidence of this host by session, from a session's first Chrome until the session releases it. */
export interface EvidenceLogs {
  /** The session's log, created when there is none. */
  of(sessionId: string): EvidenceLog;
  find(sessionId: string): EvidenceLog | undefined;
  remove(sessionId: string): void;
  /** Ends the logs of all other sessions: their Chromes are gone. */
  endAllExcept(running: ReadonlySet<string>): void;
}

const FILE_NAME = /^\.evidence-(.+)\.jsonl$/;
/** A session that moved to another host no longer asks here; every session has ended by then. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/** Opens the logs that earlier keepers wrote beside the browsers' folders, which are removed with their Chrome. */
export function openEvidenceLogs(root: string, logger: Logger): EvidenceLogs {
  const logs = new Map<string, EvidenceLog>();
  const pathOf = (sessionId: string): string => join(root, `.evidence-${sessionId}.jsonl`);
  const open = (sessionId: string): EvidenceLog => {
    const log = new EvidenceLog(new EvidenceFile(pathOf(sessionId), logger));
    logs.set(sessionId, log);
    return log;
  };
  const remove = (sessionId: string): void => {
    logs.get(sessionId)?.remove();
    logs.delete(sessionId);
  };
  const removeForgotten = (): void => {
    const now = fileSystemTime(root);
    for (const [sessionId, log] of logs) {
      const writtenAt = statSync(pathOf(sessionId), { throwIfNoEntry: false })?.mtimeMs;
      if (!log.isWatching && writtenAt !== undefined && now - writtenAt > FORGOTTEN_AFTER_MS) remove(sessionId);
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
    endAllExcept(running) {
      for (const [sessionId, log] of logs) if (!running.has(sessionId)) log.end();
    },
  };
}
