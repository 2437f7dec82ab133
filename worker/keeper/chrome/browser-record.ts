import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { IdempotencyHeaderSchema } from '../../../contracts/browsers/keeper';
import { PRIVATE } from '../../../runtime/private-folder';
import { SessionNetworkSchema } from '../../../contracts/browsers/network-policy';

/** `browser.json` in a browser's folder: what a successor of this keeper needs to adopt the Chrome. */
const BrowserRecordSchema = z.object({
  /** Absent while the Chrome waits in the pool, and of one that several sessions share. */
  sessionId: z.string().optional(),
  /** The tenant whose sessions share the Chrome. */
  sharedBy: z.string().optional(),
  /** Of a session in such a Chrome, whose process this is: its browser context, and the name of the Chrome's folder. */
  context: z.object({ id: z.string(), of: z.string() }).optional(),
  pid: z.int().positive(),
  startTicks: z.string(),
  /** Both absent until Chrome has answered. */
  browserId: z.string().optional(),
  /** The DevTools session of its keeper, which the next one ends. */
  keeperSession: z.string().optional(),
  /** The newest epoch that was let in; 0 before the first. */
  epoch: z.int().nonnegative(),
  startedAt: z.string(),
  /** The header of the commit under way. */
  idempotencyHeader: IdempotencyHeaderSchema.optional(),
  /** The approved command whose requests its keeper judges. Nobody else can: Chrome does not say what it holds. */
  deed: z.string().optional(),
  /** The proxy through which alone it reaches the network, and what its session's request says of that. */
  proxyPort: z.int().positive(),
  /** Of the relay of its newest epoch. */
  relayPort: z.int().optional(),
  network: SessionNetworkSchema.optional(),
});
export type BrowserRecord = z.infer<typeof BrowserRecordSchema>;

const FILE = 'browser.json';

/** Written beside and renamed, so that a reader never finds half a record. */
export function writeBrowserRecord(folder: string, marker: BrowserRecord): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  writeFileSync(join(folder, `${FILE}.part`), JSON.stringify(marker), { mode: PRIVATE.file });
  renameSync(join(folder, `${FILE}.part`), join(folder, FILE));
}

function readBrowserRecord(folder: string): BrowserRecord | undefined {
  try {
    return BrowserRecordSchema.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Every browser folder under the root, with its record if it is readable. */
export function listBrowserRecords(root: string): { folder: string; marker: BrowserRecord | undefined }[] {
  mkdirSync(root, { recursive: true });
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name))
    .map((folder) => ({ folder, marker: readBrowserRecord(folder) }));
}
