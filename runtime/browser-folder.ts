import { lstat, readlink, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const SOCKET = 'SingletonSocket';

/** Where a browser's own files lie in its folder: itself, or by a link in a folder of the user that the browser runs as. */
export function profileFolder(folder: string): string {
  return join(folder, 'profile');
}

/**
 * The folder in the system's temporary folder where the Chrome of this folder keeps its socket (a path in ours could be
 * too long for one). Chrome that closes removes the link to it first. Only a folder of Chrome's own counts, in a folder that
 * is not Chrome's: what a page could break out of writes the link, and whoever removes the folder may be root.
 */
export async function socketFolderOf(folder: string): Promise<string | undefined> {
  const link = join(profileFolder(folder), SOCKET);
  const socket = await readlink(link).catch(() => undefined);
  if (socket === undefined || basename(socket) !== SOCKET) return undefined;
  const found = dirname(socket);
  const [ofLink, ofFolder, above] = await Promise.all([link, found, dirname(found)].map(ownerOf));
  return ofFolder !== undefined && ofFolder === ofLink && (ofLink === process.getuid?.() || above !== ofLink)
    ? found
    : undefined;
}

/** Removes a browser's folder, what it links to, and the one of its socket: a Chrome that is killed leaves all of them. */
export async function removeFolders(folder: string, knownSocketFolder?: string): Promise<void> {
  const socketFolder = knownSocketFolder ?? (await socketFolderOf(folder));
  if (socketFolder !== undefined) await rm(socketFolder, { recursive: true, force: true }).catch(() => {});
  const profile = await readlink(profileFolder(folder)).catch(() => undefined);
  // Children of a killed Chrome may write their last file while the folder goes.
  const patient = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  if (profile !== undefined) await rm(dirname(profile), patient);
  await rm(folder, patient);
}

async function ownerOf(path: string): Promise<number | undefined> {
  return (await lstat(path).catch(() => undefined))?.uid;
}
