import { realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { fileCommands } from '../../../../contracts/commands/definitions/files';
import { FilesUnavailable } from '../../../../store/files/files';
import type { Attachment } from '../../attach/attachment';
import { isTargetClosed, isTimeout } from '../../attach/playwright-errors';
import { EngineError } from '../../../activity/failures';
import { isFileId } from '../../../../contracts/files/file';
import { toFileName } from '../../../../contracts/files/file-name';
import type { BatchContext } from '../batch-context';
import { printPage } from '../../pages/print-page';
import { keepDownload, keepPage } from '../store-downloads';
import { blockedAddress, navigationRefusal } from '../network-guard';
import type { CommandHandlers } from './command-handler';

export const fileHandlers: CommandHandlers<typeof fileCommands> = {
  /** Gives only uploaded files, and those of the folder that the operator has named: what a page or a model says is no path. */
  async UPLOAD_FILE({ batch, attachment, page, element, parameters: { files }, timeoutMs }) {
    const paths = await pathsForChrome(batch, attachment, files);
    const isField = await element.evaluate(
      (node) => node instanceof HTMLInputElement && node.type === 'file',
      undefined,
      { timeout: timeoutMs },
    );
    if (isField) {
      await element.setInputFiles(paths, { timeout: timeoutMs });
      return;
    }
    await element.evaluate(chooseByField, undefined, { timeout: timeoutMs });
    // The page has a button of its own that opens the file chooser.
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser', { timeout: timeoutMs }),
      element.click({ timeout: timeoutMs }),
    ]);
    await chooser.setFiles(paths, { timeout: timeoutMs });
  },

  async DROP_FILES({ batch, attachment, element, parameters: { files }, timeoutMs }) {
    const paths = await pathsForChrome(batch, attachment, files);
    await element.drop({ files: paths }, { timeout: timeoutMs });
  },

  async DOWNLOAD_FILE({ batch, commandId, attachment, page, element, parameters: { url }, timeoutMs }) {
    const { network } = batch;
    if (url !== undefined && blockedAddress(network, [url]) !== undefined) throw navigationRefusal(network, url);
    try {
      // One that began by itself, before this command, is another file.
      await attachment.downloads.take();
      const begun = attachment.downloads.next(timeoutMs);
      const starting =
        url === undefined
          ? element!.click({ timeout: timeoutMs })
          : page.goto(url, { timeout: timeoutMs, waitUntil: 'commit' }).catch((error: unknown) => {
              // A page that navigates to a file stays where it is, and Playwright calls that a failure.
              if (isTargetClosed(error)) throw error;
            });
      const [download] = await Promise.all([begun, starting]);
      if (download === undefined) throw new EngineError('EX004', `No download began within ${timeoutMs / 1000} s.`);
      return { output: await keepDownload(batch, { commandId, action: 'DOWNLOAD_FILE' }, download) };
    } catch (error) {
      if (error instanceof EngineError || isTargetClosed(error)) throw error;
      const message = `The download failed: ${(error as Error).message.split('\n')[0]}`;
      throw new EngineError(isTimeout(error) ? 'EX004' : 'TL002', message, { cause: error });
    }
  },

  async SAVE_PDF({ batch, commandId, attachment, parameters: { name } }) {
    const content = await printPage(attachment, batch.values);
    const fileName = toFileName(/\.pdf$/i.test(name) ? name : `${name}.pdf`);
    const fileId = await keepPage(batch, { commandId, action: 'SAVE_PDF' }, fileName, content);
    return { output: `Printed the page to “${fileName}”, ${content.length} bytes, stored as file ${fileId}.` };
  },
};

/** Runs in the page: has it open a file field where it would ask for handles of files, which nobody can give. */
function chooseByField(): void {
  type Picker = (options?: { multiple?: boolean }) => Promise<unknown[]>;
  const home = globalThis as typeof globalThis & { showOpenFilePicker?: Picker };
  if (home.showOpenFilePicker === undefined) return;
  home.showOpenFilePicker = ({ multiple = false } = {}) =>
    new Promise((resolve, reject) => {
      const field = Object.assign(document.createElement('input'), { type: 'file', multiple });
      const toHandle = (file: File): unknown => ({ kind: 'file', name: file.name, getFile: async () => file });
      field.addEventListener('change', () => resolve([...(field.files ?? [])].map(toHandle)));
      field.addEventListener('cancel', () => reject(new DOMException('No file was chosen.', 'AbortError')));
      field.click();
    });
}

/** Where the browser finds files that are named by the ids of uploads, or as in the upload folder. */
export async function pathsForChrome(
  batch: Pick<BatchContext, 'uploads' | 'store'>,
  attachment: Attachment,
  files: readonly string[],
): Promise<string[]> {
  return await attachment.downloads.readable(
    await Promise.all(files.map((name) => uploadPath(batch, attachment, name))),
  );
}

/** Undefined for a file that is not there. Nothing was done at the page yet. */
function notRead(error: unknown): undefined {
  if (error instanceof FilesUnavailable) throw new EngineError('SM002', error.message, { cause: error });
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

async function uploadPath(
  { uploads: folder, store }: Pick<BatchContext, 'uploads' | 'store'>,
  { downloads }: Attachment,
  name: string,
): Promise<string> {
  if (isFileId(name)) {
    const row = await store.uploads.get(name);
    const path =
      row === null ? undefined : await store.uploads.localPath(row, () => downloads.folderForCopy()).catch(notRead);
    if (path !== undefined) return path;
    throw new EngineError('SM002', `There is no uploaded file ${name}: it was deleted, or has expired.`);
  }
  if (folder === undefined)
    throw new EngineError(
      'SM002',
      `“${name}” is no id of an uploaded file (POST /v1/files, or surefoot upload), and the operator has named no folder of files (SUREFOOT_UPLOADS).`,
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
