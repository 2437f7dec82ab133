import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileFolder } from '../../runtime/browser-folder';

/** The folder for downloads while nobody is attached. */
export function downloadsFolder(folder: string): string {
  return join(folder, 'downloads');
}

/**
 * Writes the preferences before Chrome's first start: downloads are saved without a question even while no worker is
 * attached, and no password prompt appears.
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
