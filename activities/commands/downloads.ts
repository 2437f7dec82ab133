import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../failures';
import type { Attachment } from '../browsers/attachment';
import { withinMs } from '../../runtime/time-limit';
import { makeTemporaryFolder, removeForGood } from '../browsers/temporary-folder';

/** A larger download is cancelled. */
const LARGEST = 100 * 1024 * 1024;

interface Downloads {
  /** Resolves to the next file, once it is complete. */
  next(limitMs: number): Promise<{ name: string; content: Buffer }>;
  close(): Promise<void>;
}

/** Lets the Chrome, which runs on this host, save files into a temporary folder until `close`. */
export async function openDownloads(attachment: Attachment): Promise<Downloads> {
  const session = await attachment.browserSession();
  const folder = await makeTemporaryFolder('download-');
  const close = async (): Promise<void> => {
    await session.send('Browser.setDownloadBehavior', { behavior: 'default' }).catch(() => {});
    await session.detach().catch(() => {});
    void removeForGood(folder);
  };
  const how = { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true } as const;
  await session.send('Browser.setDownloadBehavior', how).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    async next(limitMs) {
      let began: { guid: string; suggestedFilename: string } | undefined;
      const arrived = new Promise<void>((resolve, reject) => {
        session.on('Browser.downloadWillBegin', (event) => (began ??= event));
        session.on('Browser.downloadProgress', ({ guid, state, receivedBytes }) => {
          if (guid !== began?.guid) return;
          if (state === 'completed') resolve();
          else if (state === 'canceled') reject(new EngineError('EX004', 'The download was cancelled.'));
          else if (receivedBytes > LARGEST) {
            reject(
              new EngineError('EX004', `The file is larger than ${LARGEST / 1024 / 1024} MB; it was not downloaded.`),
            );
            session.send('Browser.cancelDownload', { guid }).catch(() => {});
          }
        });
      });
      await withinMs(limitMs, arrived).catch((error: unknown) => {
        if (error instanceof EngineError || began !== undefined) throw error;
        throw new EngineError('EX004', `No download began within ${limitMs / 1000} s.`);
      });
      const { guid, suggestedFilename } = began!;
      return { name: suggestedFilename, content: await readFile(join(folder, guid)) };
    },
    close,
  };
}
