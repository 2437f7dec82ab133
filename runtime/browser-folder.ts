import { readlink, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const SOCKET = 'SingletonSocket';

/** Where a browser's own files lie in its folder. */
export function profileFolder(folder: string): string {
  return join(folder, 'profile');
}

/**
 * The folder in the system's temporary folder where the Chrome of this folder keeps its socket (a path in ours could be
 * too long for one). Chrome that closes removes the link to it first.
 */
export async function socketFolderOf(folder: string): Promise<string | undefined> {
  const socket = await readlink(join(profileFolder(folder), SOCKET)).catch(() => undefined);
  return socket !== undefined && basename(socket) === SOCKET ? dirname(socket) : undefined;
}

/** Removes a browser's folder and the one of its socket: a Chrome that is killed leaves both. */
export async function removeFolders(folder: string, knownSocketFolder?: string): Promise<void> {
  const socketFolder = knownSocketFolder ?? (await socketFolderOf(folder));
  if (socketFolder !== undefined) await rm(socketFolder, { recursive: true, force: true }).catch(() => {});
  // Children of a killed Chrome may write their last file while the folder goes.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
