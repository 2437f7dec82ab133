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
import { PRIVATE } from '../../../runtime/private-folder';

const ROTATE_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

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

const MOST_LINES = 5;
/** As Node prints an error, and our processes do behind their name. */
const ERROR = /^(?:[\w-]+: )?(?:Uncaught )?\w*(?:Error|Exception)(?: \[\w+\])?(?::|$)/;
/** What Node prints below an error: frames, fields, its version. */
const BELOW_ERROR = /^\s+at |^\s*\}?$|^Node\.js v/;

/**
 * Returns what a process wrote at its end: its last error without the stack, or else its last lines. Only what lies
 * behind `from` bytes is its own; the rest is of earlier runs.
 */
export function lastWords(home: string, name: string, from: number): string {
  const lines = tailOf(logFilePath(home, name), from).split('\n');
  const error = lines.findLastIndex((line) => ERROR.test(line));
  if (error === -1)
    return lines
      .filter((line) => !BELOW_ERROR.test(line))
      .slice(-MOST_LINES)
      .join('\n');
  const length = lines.slice(error).findIndex((line) => BELOW_ERROR.test(line));
  return lines.slice(error, error + (length === -1 ? MOST_LINES : Math.min(length, MOST_LINES))).join('\n');
}

function tailOf(file: string, from: number): string {
  if (!existsSync(file)) return '';
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    // A log that was rotated meanwhile begins anew.
    const own = size < from ? size : size - from;
    const tail = Buffer.alloc(Math.min(own, TAIL_BYTES));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8').trimEnd();
  } finally {
    closeSync(descriptor);
  }
}
