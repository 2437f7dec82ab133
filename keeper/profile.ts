import { mkdirSync, writeFileSync } from 'node:fs';
import { readlink, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const SOCKET = 'SingletonSocket';

/** The folders of one browser. */
export function profileFolder(folder: string): string {
  return join(folder, 'profile');
}

export function downloadsFolder(folder: string): string {
  return join(folder, 'downloads');
}

/**
 * Writes the preferences before Chrome's first start: downloads go to the browser's own folder without a question even
 * while no worker is attached, and no password prompt stands in the way.
 */
export function writeProfile(folder: string): void {
  const downloads = downloadsFolder(folder);
  mkdirSync(downloads, { recursive: true });
  mkdirSync(join(profileFolder(folder), 'Default'), { recursive: true });
  const preferences = {
    download: { default_directory: downloads, prompt_for_download: false, directory_upgrade: true },
    savefile: { default_directory: downloads },
    credentials_enable_service: false,
    profile: {
      password_manager_enabled: false,
      default_content_setting_values: { automatic_downloads: 1 },
    },
  };
  writeFileSync(join(profileFolder(folder), 'Default', 'Preferences'), JSON.stringify(preferences));
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
