import { createApiClient } from '../../client/http/api-client';

/** The API that has served this page. Its cookie goes along by itself. A frozen view is rendered without a page, and asks nobody. */
export const client = createApiClient(globalThis.location?.origin ?? 'http://nobody.invalid');
