import { chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { profileFolder } from '../../../runtime/browser-folder';
import { PRIVATE } from '../../../runtime/private-folder';
import type { ChromeUser } from './sandbox';

/** The folder for downloads while nobody is attached, as Chrome knows it. */
export function downloadsFolder(folder: string): string {
  return realpathSync(join(folder, 'downloads'));
}

/**
 * Writes the preferences before Chrome's first start: downloads are saved without a question even while no worker is
 * attached, and no password prompt appears. A Chrome that runs as another user has its files where that user may enter;
 * links lead there.
 */
export function writeProfile(folder: string, user?: ChromeUser): void {
  if (user !== undefined) linkTo(folder, join(user.folder, basename(folder)));
  const [profile, downloads] = [profileFolder(folder), join(folder, 'downloads')];
  const made = [join(profile, 'Default'), downloads];
  for (const each of made) mkdirSync(each, { recursive: true, mode: PRIVATE.folder });
  const folderOfDownloads = downloadsFolder(folder);
  const preferences = {
    download: { default_directory: folderOfDownloads, prompt_for_download: false, directory_upgrade: true },
    savefile: { default_directory: folderOfDownloads },
    credentials_enable_service: false,
    profile: {
      password_manager_enabled: false,
      default_content_setting_values: { automatic_downloads: 1 },
    },
  };
  const file = join(profile, 'Default', 'Preferences');
  writeFileSync(file, JSON.stringify(preferences), { mode: PRIVATE.file });
  if (user !== undefined)
    for (const each of [join(user.folder, basename(folder)), profile, ...made, file])
      chownSync(each, user.uid, user.gid);
}

/** Makes the folder for downloads of a session that shares its Chrome, where the Chrome's user may write. */
export function makeDownloads(folder: string, user?: ChromeUser): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder });
  if (user !== undefined) linkTo(folder, join(user.folder, basename(folder)));
  const downloads = join(folder, 'downloads');
  mkdirSync(downloads, { recursive: true, mode: PRIVATE.folder });
  if (user !== undefined)
    for (const each of [join(user.folder, basename(folder)), downloads]) chownSync(each, user.uid, user.gid);
}

/** Makes the home of a browser that Playwright launches, where its user may write. */
export function makeHome(folder: string, user?: ChromeUser): string {
  if (user !== undefined) linkTo(folder, join(user.folder, basename(folder)));
  const home = profileFolder(folder);
  mkdirSync(home, { recursive: true, mode: PRIVATE.folder });
  if (user !== undefined)
    for (const each of [join(user.folder, basename(folder)), home]) chownSync(each, user.uid, user.gid);
  return realpathSync(home);
}

function linkTo(folder: string, place: string): void {
  for (const name of ['profile', 'downloads']) {
    mkdirSync(join(place, name), { recursive: true, mode: PRIVATE.folder });
    symlinkSync(join(place, name), join(folder, name));
  }
}
