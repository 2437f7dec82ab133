import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { MAX_FILE_BYTES } from '../../contracts/files/file';
import type { CliCommand } from '../context/define-command';
import { CliError } from '../context/exit';
import { withServices } from '../context/services';
import { JSON_OPTION } from '../input/options';
import { createTerminal } from '../terminal/terminal';

export const upload: CliCommand = {
  name: 'upload',
  summary: 'give a file that steps may upload to sites',
  description:
    'Stores a file for a week (SUREFOOT_KEEP_UPLOAD_DAYS) and prints its id, by which steps and tasks name it.',
  examples: [
    ['surefoot upload invoice.pdf', 'prints the id, file_…'],
    ['surefoot run --url https://shop.example "upload $(surefoot upload a.pdf) to Attachment"', 'in a step'],
  ],
  define: (command, end) =>
    command
      .argument('<path>', 'the file')
      .option(...JSON_OPTION)
      .action(async (path: string, { json }: { json?: true }) => end(await uploadFile(path, json === true))),
};

async function uploadFile(path: string, isJson: boolean): Promise<number> {
  const content = await readUpload(path);
  return await withServices('reading', async ({ store }) => {
    const { createUploads } = await import('../../service/files/uploads.js');
    const given = { name: basename(path), mediaType: '', content };
    const { file } = await createUploads({ store }).upload(given);
    if (isJson) createTerminal().printJson(file, 2);
    else createTerminal().print(file.fileId);
    return 0;
  });
}

async function readUpload(path: string): Promise<Buffer> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${path} can't be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`);
  });
  if (size > MAX_FILE_BYTES)
    throw new CliError(`${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB, the most that a file may have.`);
  return await readFile(path);
}
