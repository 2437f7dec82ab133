import { createApiClient } from '../../client/http/api-client';

/** The API that has served this page. Its cookie goes along by itself. */
export const client = createApiClient(window.location.origin);
