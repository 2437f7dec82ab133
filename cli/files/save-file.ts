import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OpenFile } from '../../service/port/port';
import { toFileName } from '../../contracts/files/file-name';
import { CliError } from '../context/exit';

/**
 * Saves a file into a folder, under its own name or, where another file has it, with a number behind it. Resolves to its
 * path; a file that is there already with the same bytes is left as it is.
 */
export async function saveFile({ file, handle }: OpenFile, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = await freePath(folder, toFileName(file.name), file.sha256);
  if (path.isThere) {
    await handle.close();
    return path.path;
  }
  const part = `${path.path}.part`;
  await pipeline(handle.createReadStream(), createWriteStream(part));
  if ((await hashOf(part)) !== file.sha256) {
    await rm(part, { force: true });
    throw new CliError(`“${file.name}” was not saved: its bytes are not those that the session stored (SHA-256).`);
  }
  await rename(part, path.path);
  return path.path;
}

async function freePath(folder: string, name: string, sha256: string): Promise<{ path: string; isThere: boolean }> {
  const extension = extname(name);
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const path = join(folder, `${name.slice(0, name.length - extension.length)}${suffix}${extension}`);
    const isFree = await stat(path).then(
      () => false,
      () => true,
    );
    if (isFree) return { path, isThere: false };
    if ((await hashOf(path).catch(() => '')) === sha256) return { path, isThere: true };
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
