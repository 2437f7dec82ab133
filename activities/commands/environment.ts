import type { BrowserParameters } from '../../contracts/commands/commands';
import { webOriginOf } from '../../contracts/browsers/origins';
import type { JournalEntry } from '../../store/journal/journal';
import type { Attachment } from '../browsers/attachment';

const ACCURACY_M = 10;
/** What Playwright calls them. */
type Permissions = NonNullable<BrowserParameters['permissions']>;

export async function setGeolocation(
  { context }: Attachment,
  {
    latitude = 0,
    longitude = 0,
    accuracy = ACCURACY_M,
  }: Pick<BrowserParameters, 'latitude' | 'longitude' | 'accuracy'>,
): Promise<void> {
  await context.setGeolocation({ latitude, longitude, accuracy });
}

/** Gives a site these permissions and takes all others away from it. */
export async function grantPermissions(
  { context }: Attachment,
  origin: string,
  permissions: Permissions,
): Promise<void> {
  await context.grantPermissions(permissions, { origin });
}

/** The commands whose effect ends with the worker's connection, or with the Chrome, and holds for the session. */
export const ENVIRONMENT_ACTIONS = ['SET_VIEWPORT', 'SET_GEOLOCATION', 'SET_PERMISSIONS'] as const;

/** Sets again what earlier commands of the session have set, oldest first. */
export async function restoreEnvironment(attachment: Attachment, entries: readonly JournalEntry[]): Promise<void> {
  for (const { action, parameters, pageUrl } of entries) {
    const { width, height, permissions } = parameters;
    const origin = webOriginOf(pageUrl);
    if (action === 'SET_VIEWPORT' && width !== undefined && height !== undefined)
      await attachment.setViewport({ width, height });
    if (action === 'SET_GEOLOCATION') await setGeolocation(attachment, parameters);
    if (action === 'SET_PERMISSIONS' && permissions !== undefined && origin !== undefined)
      await grantPermissions(attachment, origin, permissions);
  }
}
