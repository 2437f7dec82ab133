import { realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { fileCommands } from '../../../contracts/commands/definitions/files';
import { isTargetClosed } from '../../browsers/playwright-errors';
import { EngineError } from '../../failures';
import { openDownloads } from '../downloads';
import { blockedAddress, navigationRefusal } from '../network-guard';
import type { CommandHandlers } from './command-handler';

const TEXT = /\.(?:txt|csv|tsv|json|xml|md|log|ya?ml|html?)$/i;
const PREVIEW_CHARACTERS = 2000;

export const fileHandlers: CommandHandlers<typeof fileCommands> = {
  /** Gives only files of the folder that the operator has named: what a page or a model says is no path. */
  async UPLOAD_FILE({ batch, page, element, parameters: { files }, timeoutMs }) {
    const paths = await Promise.all(files.map((name) => uploadPath(batch.uploads, name)));
    const isField = await element.evaluate(
      (node) => node instanceof HTMLInputElement && node.type === 'file',
      undefined,
      { timeout: timeoutMs },
    );
    if (isField) {
      await element.setInputFiles(paths, { timeout: timeoutMs });
      return;
    }
    // The page has a button of its own that opens the file chooser.
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser', { timeout: timeoutMs }),
      element.click({ timeout: timeoutMs }),
    ]);
    await chooser.setFiles(paths, { timeout: timeoutMs });
  },

  async DROP_FILES({ batch, element, parameters: { files }, timeoutMs }) {
    const paths = await Promise.all(files.map((name) => uploadPath(batch.uploads, name)));
    await element.drop({ files: paths }, { timeout: timeoutMs });
  },

  async DOWNLOAD_FILE({ batch, commandId, attachment, page, element, parameters: { url }, timeoutMs }) {
    const { store, sessionId, stepIndex, network } = batch;
    if (url !== undefined && blockedAddress(network, [url]) !== undefined) throw navigationRefusal(network, url);
    const downloads = await openDownloads(attachment);
    try {
      const download = downloads.next(timeoutMs);
      const starting =
        url === undefined
          ? element!.click({ timeout: timeoutMs })
          : page.goto(url, { timeout: timeoutMs, waitUntil: 'commit' }).catch((error: unknown) => {
              // A page that navigates to a file stays where it is, and Playwright calls that a failure.
              if (isTargetClosed(error)) throw error;
            });
      const [{ name, content }] = await Promise.all([download, starting]);
      const artifactId = `${commandId}.download`;
      await store.artifacts.save({
        sessionId,
        artifactId,
        kind: 'download',
        content,
        stepIndex,
        commandId,
        facts: { actionType: 'DOWNLOAD_FILE', fileName: name },
      });
      const preview = TEXT.test(name) ? `\nIt begins:\n${content.toString('utf8', 0, PREVIEW_CHARACTERS)}` : '';
      return { output: `Downloaded “${name}”, ${content.length} bytes, kept as artifact ${artifactId}.${preview}` };
    } catch (error) {
      if (error instanceof EngineError || isTargetClosed(error)) throw error;
      throw new EngineError('EX004', `The download failed: ${(error as Error).message.split('\n')[0]}`);
    } finally {
      await downloads.close();
    }
  },
};

async function uploadPath(folder: string | undefined, name: string): Promise<string> {
  if (folder === undefined)
    throw new EngineError(
      'SM002',
      'No files can be uploaded here: the operator has named no folder for them (SUREFOOT_UPLOADS).',
    );
  if (basename(name) !== name || name.startsWith('.'))
    throw new EngineError(
      'SM002',
      `“${name}” is no plain file name: only files of the upload folder can be given, by their names.`,
    );
  const root = await realpath(folder).catch(() => folder);
  const path = await realpath(join(root, name)).catch(() => undefined);
  const isFile = path !== undefined && path.startsWith(root + sep) && (await stat(path)).isFile();
  if (!isFile) throw new EngineError('SM002', `There is no file “${name}” in the upload folder.`);
  return path;
}
