import { realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { EngineError } from '../../failures';
import type { CommandHandler } from './command-handler';

/** Only files that lie in the folder the operator has named: what a page or a model says is no path. */
export const uploadFile: CommandHandler = async ({ batch, page, element, parameters, timeoutMs }) => {
  const paths = await Promise.all((parameters.files ?? []).map((name) => pathOf(batch.uploads, name)));
  const isField = await element!.evaluate(
    (node) => node instanceof HTMLInputElement && node.type === 'file',
    undefined,
    { timeout: timeoutMs },
  );
  if (isField) {
    await element!.setInputFiles(paths, { timeout: timeoutMs });
    return;
  }
  // A button of the page's own that asks for files.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser', { timeout: timeoutMs }),
    element!.click({ timeout: timeoutMs }),
  ]);
  await chooser.setFiles(paths, { timeout: timeoutMs });
};

async function pathOf(folder: string | undefined, name: string): Promise<string> {
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
