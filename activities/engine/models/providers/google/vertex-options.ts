import type { VendorValues } from '../../../../../contracts/models/vendors';

/** `host:port` of a proxy or a private endpoint; undefined for Google's own endpoint of the location. */
export function vertexEndpoint({ endpoint, location }: VendorValues<'vertexai'>): string | undefined {
  // The global location has no prefix, which @google-cloud/vertexai does not know.
  return endpoint ?? (location === 'global' ? 'aiplatform.googleapis.com' : undefined);
}

/**
 * Makes the client that Google's auth library expects from an access token. Without a token the library looks for the
 * application default credentials. Each SDK brings its own version of that library, so none of their classes fits all.
 */
export function googleAuthOptions(token: string | undefined): { authClient?: never } {
  if (token === undefined) return {};
  const client = {
    getAccessToken: () => Promise.resolve({ token }),
    getRequestHeaders: () => Promise.resolve(new Headers({ authorization: `Bearer ${token}` })),
  };
  return { authClient: client as never };
}
