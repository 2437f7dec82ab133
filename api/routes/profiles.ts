import { z } from '@hono/zod-openapi';
import {
  ProfileDetailsSchema,
  ProfileNameSchema,
  ProfileSchema,
  StorageStateSchema,
} from '../../contracts/sessions/profile';
import { DEFAULT_TENANT, StartRequestSchema } from '../../contracts/sessions/start-request';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses } from '../openapi/responses';

const TAGS: ApiTag[] = ['Profiles'];
const TenantSchema = StartRequestSchema.shape.tenant;
const request = {
  params: z.object({ name: ProfileNameSchema.meta({ description: 'Name of the profile', example: 'acme-admin' }) }),
  query: z.object({
    tenant: TenantSchema.default(DEFAULT_TENANT).meta({ description: 'Whose profile it is' }),
  }),
};
const RestoreSchema = z.strictObject({ version: z.int().min(1) });

/** Signed-in states that outlive sessions. */
export function profileRoutes({ profiles }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/profiles',
        operationId: 'listProfiles',
        tags: TAGS,
        summary: 'Profiles of all tenants, or of one',
        request: { query: z.object({ tenant: TenantSchema }) },
        responses: { 200: dataOf(z.array(ProfileSchema), 'The profiles'), ...errorResponses(400, 503) },
      },
      async (c) => respond(c, await profiles.list(c.req.valid('query').tenant), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/profiles/{name}',
        operationId: 'showProfile',
        tags: TAGS,
        summary: 'What a profile holds, by name and expiry, without values',
        request,
        responses: { 200: dataOf(ProfileDetailsSchema, 'The profile'), ...errorResponses(400, 404, 409, 503) },
      },
      async (c) => respond(c, await profiles.get({ ...c.req.valid('param'), ...c.req.valid('query') }), 200),
    ),
    defineRoute(
      {
        method: 'delete',
        path: '/v1/profiles/{name}',
        operationId: 'forgetProfile',
        tags: TAGS,
        summary: 'Delete a profile with all its versions',
        request,
        responses: {
          200: dataOf(z.object({ forgotten: z.literal(true) }), 'It is deleted'),
          ...errorResponses(400, 404, 503),
        },
      },
      async (c) => {
        await profiles.forget({ ...c.req.valid('param'), ...c.req.valid('query') });
        return respond(c, { forgotten: true as const }, 200);
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/profiles/{name}/state',
        operationId: 'exportProfile',
        tags: TAGS,
        summary: 'The state with every value, as a storage state of Playwright',
        request,
        responses: { 200: dataOf(StorageStateSchema, 'The storage state'), ...errorResponses(400, 404, 409, 503) },
      },
      async (c) => {
        c.header('Cache-Control', 'no-store');
        return respond(c, await profiles.exportState({ ...c.req.valid('param'), ...c.req.valid('query') }), 200);
      },
    ),
    defineRoute(
      {
        method: 'put',
        path: '/v1/profiles/{name}/state',
        operationId: 'importProfile',
        tags: TAGS,
        summary: 'Make a storage state of Playwright the newest version of a profile, or a new profile',
        request: {
          ...request,
          body: { required: true, content: { 'application/json': { schema: StorageStateSchema } } },
        },
        responses: { 200: dataOf(ProfileDetailsSchema, 'The profile'), ...errorResponses(400, 409, 413, 415, 503) },
      },
      async (c) =>
        respond(
          c,
          await profiles.importState({ ...c.req.valid('param'), ...c.req.valid('query') }, c.req.valid('json')),
          200,
        ),
    ),
    defineRoute(
      {
        method: 'put',
        path: '/v1/profiles/{name}/version',
        operationId: 'restoreProfile',
        tags: TAGS,
        summary: 'Make an earlier version of a profile the newest one',
        request: { ...request, body: { required: true, content: { 'application/json': { schema: RestoreSchema } } } },
        responses: { 200: dataOf(ProfileDetailsSchema, 'The profile'), ...errorResponses(400, 404, 409, 415, 503) },
      },
      async (c) =>
        respond(
          c,
          await profiles.restore({ ...c.req.valid('param'), ...c.req.valid('query') }, c.req.valid('json').version),
          200,
        ),
    ),
  ] as const;
}
