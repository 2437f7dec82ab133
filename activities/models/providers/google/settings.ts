import { ProviderError } from '../provider-error';

/** Where Vertex AI is asked. Credentials are Google's usual ones unless a token is given. */
export interface VertexSettings {
  project: string;
  location: string;
  /** `host:port` of a proxy or a private endpoint; Google's own for the location when undefined. */
  endpoint: string | undefined;
  token: string | undefined;
}

export function vertexSettings(name: string, env: NodeJS.ProcessEnv): VertexSettings {
  const project = env['VERTEX_PROJECT'] || env['GOOGLE_CLOUD_PROJECT'];
  if (project === undefined || project === '')
    throw new ProviderError('settings', `${name} can't be asked: VERTEX_PROJECT is not set.`);
  const location = env['VERTEX_LOCATION'] || env['GOOGLE_CLOUD_LOCATION'] || 'us-central1';
  // The global location has no prefix, which the older SDK does not know.
  const own = location === 'global' ? 'aiplatform.googleapis.com' : undefined;
  return {
    project,
    location,
    endpoint: env['VERTEX_API_ENDPOINT'] || own,
    token: env['VERTEX_ACCESS_TOKEN'] || undefined,
  };
}

/**
 * What Google's auth library asks of a client, for a token that is given. Each SDK brings its own version of that
 * library, so none of their classes fits all; this much all of them use.
 */
export function googleAuthOptions(token: string | undefined): { authClient?: never } {
  if (token === undefined) return {};
  const client = {
    getAccessToken: () => Promise.resolve({ token }),
    getRequestHeaders: () => Promise.resolve(new Headers({ authorization: `Bearer ${token}` })),
  };
  return { authClient: client as never };
}
