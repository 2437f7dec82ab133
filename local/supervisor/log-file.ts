import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { PRIVATE } from '../../runtime/private-folder';

const ROTATE_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 4096;

export function logFilePath(home: string, name: string): string {
  return join(home, 'logs', `${name}.log`);
}

/**
 * Rotates a log that has grown over 5 MB; one older file is kept. The child keeps its descriptor, so the file is copied
 * and truncated: a line written between the two is lost.
 */
export function boundLog(home: string, name: string): void {
  const file = logFilePath(home, name);
  try {
    if (!existsSync(file) || statSync(file).size <= ROTATE_BYTES) return;
    copyFileSync(file, `${file}.1`);
  } catch {
    // The disk has no space for the older file, so none is kept.
    rmSync(`${file}.1`, { force: true });
  }
  truncateSync(file);
}

/** Opens the log as a descriptor for the child, which keeps writing when its supervisor has died. */
export function openLog(home: string, name: string): number {
  mkdirSync(join(home, 'logs'), { recursive: true, mode: PRIVATE.folder });
  return openSync(logFilePath(home, name), 'a', PRIVATE.file);
}

export function lastLogLines(home: string, name: string, count = 5): string {
  const file = logFilePath(home, name);
  if (!existsSync(file)) return '';
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8').trimEnd().split('\n').slice(-count).join('\n');
  } finally {
    closeSync(descriptor);
  }
}
