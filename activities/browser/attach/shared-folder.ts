import { chown, copyFile, mkdtemp, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Creates a folder that the Chrome of this host can use, which may run as another user than this worker. It is beside the
 * Chrome's own downloads and goes with them.
 */
export async function makeSharedFolder(downloads: string, prefix: string): Promise<string> {
  const folder = await mkdtemp(join(downloads, prefix));
  await giveToOwnerOf(downloads, folder);
  return folder;
}

/** Returns paths of these files that the Chrome can read: copies of the same names where it runs as another user. */
export async function readableByChrome(paths: readonly string[], downloads: string): Promise<string[]> {
  const { uid } = await stat(downloads);
  if (uid === process.getuid?.()) return [...paths];
  return await Promise.all(
    paths.map(async (path) => {
      const copy = join(await makeSharedFolder(downloads, 'upload-'), basename(path));
      await copyFile(path, copy);
      await giveToOwnerOf(downloads, copy);
      return copy;
    }),
  );
}

async function giveToOwnerOf(folder: string, path: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  if (uid !== process.getuid?.()) await chown(path, uid, gid);
}
