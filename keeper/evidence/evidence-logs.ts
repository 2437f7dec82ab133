import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../runtime/process';
import { EvidenceFile } from './evidence-file';
import { EvidenceLog } from './evidence-log';

/** The evidence of this host by session: kept from the first Chrome of a session until the session lets go of it. */
export interface EvidenceLogs {
  /** The session's log; begun when there is none. */
  of(sessionId: string): EvidenceLog;
  find(sessionId: string): EvidenceLog | undefined;
  remove(sessionId: string): void;
  /** Says of the Chromes of all other sessions that they are gone. */
  endAllExcept(running: ReadonlySet<string>): void;
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
  const remove = (sessionId: string): void => {
    logs.get(sessionId)?.remove();
    logs.delete(sessionId);
  };
  const removeForgotten = (): void => {
    const now = timeOf(root);
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

/**
 * What time the file system says it is, which is what it dates its files by; a process's own clock decides nothing.
 * Where no file can be made, it is 0: nothing is old then.
 */
function timeOf(folder: string): number {
  const stamp = join(folder, '.time');
  try {
    writeFileSync(stamp, '');
    return statSync(stamp).mtimeMs;
  } catch {
    return 0;
  } finally {
    rmSync(stamp, { force: true });
  }
}
