import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Download as PlaywrightDownload, Page } from 'playwright';
import { MAX_FILE_BYTES } from '../../../contracts/files/file';
import { toFileName } from '../../../contracts/files/file-name';
import { withinMs } from '../../../runtime/time-limit';
import { EngineError } from '../../activity/failures';
import { incompleteError, tooLargeError, withoutQuery, type Download, type Downloads } from './downloads';

/** A browser that is gone does not answer. */
const ANSWER_LIMIT_MS = 500;

/** The downloads of a browser that Playwright has launched: it keeps the files, and hands them over by its connection. */
export class ServerDownloads implements Downloads {
  private untaken: Download[] = [];
  private wake = (): void => {};

  constructor(private readonly context: BrowserContext) {
    context.on('page', (page: Page) =>
      page.on('download', (download) => {
        this.untaken.push(toDownload(download));
        this.wake();
      }),
    );
  }

  readable(paths: readonly string[]): Promise<string[]> {
    return Promise.resolve([...paths]);
  }

  folderForCopy(): Promise<string> {
    return mkdtemp(join(tmpdir(), 'copy-'));
  }

  async take(): Promise<Download[]> {
    // Its answer comes behind what the browser has said before.
    await withinMs(ANSWER_LIMIT_MS, this.context.cookies()).catch(() => {});
    return this.untaken.splice(0);
  }

  async next(limitMs: number): Promise<Download | undefined> {
    if (this.untaken.length === 0)
      await withinMs(limitMs, new Promise<void>((resolve) => (this.wake = resolve))).catch(() => {});
    return this.untaken.shift();
  }

  /** Playwright removes its files with the context. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

function toDownload(download: PlaywrightDownload): Download {
  const name = toFileName(download.suggestedFilename());
  return {
    name,
    address: withoutQuery(download.url()),
    async content(limitMs) {
      const content = await withinMs(limitMs, readWhole(download, name)).catch((error: unknown) => {
        void download.cancel().catch(() => {});
        throw error instanceof EngineError ? error : incompleteError(name, limitMs);
      });
      void download.delete().catch(() => {});
      return content;
    },
  };
}

async function readWhole(download: PlaywrightDownload, name: string): Promise<Buffer> {
  const failure = await download.failure();
  if (failure !== null) throw new EngineError('TL004', `The download failed: ${failure}.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await download.createReadStream()) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_FILE_BYTES) throw tooLargeError(name);
  }
  return Buffer.concat(chunks);
}
