import type { BrowserParameters } from '../../../contracts/commands/commands';
import { webOriginOf } from '../../../contracts/browsers/origins';
import type { JournalEntry } from '../../../store/journal/journal';
import { EngineError } from '../../activity/failures';
import type { BoundSecret, SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';

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

/** Signs requests of an origin in, once it asks for it. The secret must be one for this origin. */
export async function setHttpCredentials(
  { context, httpCredentials }: Attachment,
  { origin, username, password }: { origin: string; username: string; password: string },
  secrets: readonly BoundSecret[],
): Promise<void> {
  const [secret] = secrets;
  if (secret === undefined)
    throw new EngineError('SM002', `The password must be a secret of this session, as \${name}; ${password} is none.`);
  if (!secret.origins.includes(origin))
    throw new EngineError(
      'SM002',
      `The secret ${secret.alias} is only for ${secret.origins.join(', ')}, so ${origin} did not get it.`,
      {
        details: { guard: 'secret-origin', secret: secret.alias, origin },
        suggestedAction: 'Should this origin get it, name it when the session is started.',
      },
    );
  httpCredentials.set(origin, { origin, username, password });
  await context.setHTTPCredentials([...httpCredentials.values()]);
}

/** The commands whose effect ends with the worker's connection, or with the Chrome, and holds for the session. */
export const ENVIRONMENT_ACTIONS = [
  'SET_VIEWPORT',
  'SET_GEOLOCATION',
  'SET_PERMISSIONS',
  'SET_HTTP_CREDENTIALS',
] as const;

/** Sets again what earlier commands of the session have set, oldest first. */
export async function restoreEnvironment(
  attachment: Attachment,
  entries: readonly JournalEntry[],
  values: SessionValues,
): Promise<void> {
  for (const { action, parameters, pageUrl } of entries) {
    const { width, height, permissions } = parameters;
    const origin = webOriginOf(pageUrl);
    if (action === 'SET_VIEWPORT' && width !== undefined && height !== undefined)
      await attachment.setViewport({ width, height });
    if (action === 'SET_GEOLOCATION') await setGeolocation(attachment, parameters);
    if (action === 'SET_PERMISSIONS' && permissions !== undefined && origin !== undefined)
      await grantPermissions(attachment, origin, permissions);
    if (action === 'SET_HTTP_CREDENTIALS') {
      const { parameters: filled, secrets } = values.fill(parameters);
      const { origin: asking = '', username = '', password = '' } = filled;
      await setHttpCredentials(attachment, { origin: asking, username, password }, secrets);
    }
  }
}
