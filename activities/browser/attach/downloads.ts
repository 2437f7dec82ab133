import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, CDPSession } from 'playwright';
import { MAX_FILE_BYTES } from '../../../contracts/files/file';
import { toFileName } from '../../../contracts/files/file-name';
import { withinMs } from '../../../runtime/time-limit';
import { EngineError } from '../../activity/failures';
import { makeSharedFolder, readableByChrome } from './shared-folder';
import { removeForGood } from './temporary-folder';

/** A download that has begun. */
export interface Download {
  /** As the site calls it. */
  name: string;
  /** Where it comes from, without query and fragment; empty where that is no web address. */
  address: string;
  /** Resolves to its bytes once they are complete, once. Throws an EngineError. */
  content(limitMs: number): Promise<Buffer>;
}

interface Begun extends Download {
  settle(error?: EngineError): void;
}

/** The downloads of a browser while a worker is attached. */
export interface Downloads {
  /** Returns paths of these files that the browser can be given. */
  readable(paths: readonly string[]): Promise<string[]>;
  /** Makes a folder for the copy of a file that the browser is given; it stays as long as the browser. */
  folderForCopy(): Promise<string>;
  /** Those that have begun and were not taken before. */
  take(): Promise<Download[]>;
  /** Resolves to the next one that begins, or has begun and was not taken; undefined when there is none in time. */
  next(limitMs: number): Promise<Download | undefined>;
  close(): Promise<void>;
}

/** The downloads of a Chrome, which runs on this host. */
export class ChromeDownloads implements Downloads {
  private readonly begun = new Map<string, Begun>();
  private untaken: Download[] = [];
  private wake = (): void => {};

  private constructor(
    private readonly session: CDPSession,
    private readonly folder: string,
    private readonly shared: string,
  ) {}

  readable(paths: readonly string[]): Promise<string[]> {
    return readableByChrome(paths, this.shared);
  }

  folderForCopy(): Promise<string> {
    return makeSharedFolder(this.shared, 'copy-');
  }

  /** `shared` is the Chrome's own folder of downloads. */
  static async open(browser: Browser, shared: string): Promise<ChromeDownloads> {
    const folder = await makeSharedFolder(shared, 'download-');
    const clear = (): void => void removeForGood(folder);
    browser.once('disconnected', clear);
    // Its Chrome may have died before anybody listened.
    if (!browser.isConnected()) clear();
    const session = await browser.newBrowserCDPSession();
    const downloads = new ChromeDownloads(session, folder, shared);
    session.on('Browser.downloadWillBegin', ({ guid, suggestedFilename, url }) =>
      downloads.onBegin(guid, toFileName(suggestedFilename), url),
    );
    session.on('Browser.downloadProgress', ({ guid, state, receivedBytes }) => {
      if (state === 'completed') downloads.begun.get(guid)?.settle();
      else if (state === 'canceled')
        downloads.begun.get(guid)?.settle(new EngineError('TL004', 'The download was cancelled.'));
      else if (receivedBytes > MAX_FILE_BYTES) downloads.refuse(guid);
    });
    session.on('close', () => {
      for (const download of downloads.begun.values())
        download.settle(new EngineError('EX001', 'The browser was lost before the download was complete.'));
    });
    await session.send('Browser.setDownloadBehavior', {
      behavior: 'allowAndName',
      downloadPath: folder,
      eventsEnabled: true,
    });
    return downloads;
  }

  async take(): Promise<Download[]> {
    // Its answer comes behind what Chrome has said before.
    await withinMs(ANSWER_LIMIT_MS, this.session.send('Browser.getVersion')).catch(() => {});
    return this.untaken.splice(0);
  }

  async next(limitMs: number): Promise<Download | undefined> {
    if (this.untaken.length === 0)
      await withinMs(limitMs, new Promise<void>((resolve) => (this.wake = resolve))).catch(() => {});
    return this.untaken.shift();
  }

  /** Its folder goes with the connection. */
  async close(): Promise<void> {
    await this.session.detach().catch(() => {});
  }

  private onBegin(guid: string, name: string, url: string): void {
    let settle: Begun['settle'] = () => {};
    const end = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    // Nobody may be waiting when it fails.
    end.catch(() => {});
    const file = join(this.folder, guid);
    const content = async (limitMs: number): Promise<Buffer> => {
      await withinMs(limitMs, end).catch((error: unknown) => {
        if (error instanceof EngineError) throw error;
        throw incompleteError(name, limitMs);
      });
      const bytes = await readPlainFile(file);
      void rm(file, { force: true }).catch(() => {});
      return bytes;
    };
    const download = { name, address: withoutQuery(url), content, settle };
    this.begun.set(guid, download);
    this.untaken.push(download);
    this.wake();
  }

  private refuse(guid: string): void {
    const download = this.begun.get(guid);
    download?.settle(tooLargeError(download.name));
    this.session.send('Browser.cancelDownload', { guid }).catch(() => {});
  }
}

export function tooLargeError(name: string): EngineError {
  const limit = `${MAX_FILE_BYTES / 1024 / 1024} MB`;
  return new EngineError('TL004', `“${name}” is larger than ${limit}; it was not downloaded.`);
}

export function incompleteError(name: string, limitMs: number): EngineError {
  return new EngineError('EX004', `The download of “${name}” was not complete within ${limitMs / 1000} s.`);
}

/** A Chrome that is gone does not answer. */
const ANSWER_LIMIT_MS = 500;

/** No link is followed: Chrome's user may have put one there, to a file that only this worker may read. */
async function readPlainFile(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Query and fragment may hold what nobody else should read. */
export function withoutQuery(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? '' : parsed.origin + parsed.pathname;
}
