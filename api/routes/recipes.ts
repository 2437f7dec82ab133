import { z } from '@hono/zod-openapi';
import { ExportFormatSchema } from '../../contracts/recipes/export-format';
import { ImportRecipesSchema } from '../../contracts/sessions/import-recipes';
import { PromoteRecipeSchema } from '../../contracts/recipes/promote-request';
import { RecipeSchema } from '../../contracts/recipes/recipe';
import { StartRequestSchema } from '../../contracts/sessions/start-request';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import type { ApiTag } from '../http/tags';
import { dataOf, errorResponses } from '../openapi/responses';

const TAGS: ApiTag[] = ['Recipes'];
const RecipeParams = z.object({
  recipeId: z.string().meta({ description: 'Id of the recipe', example: 'rcp_6f1c2a0d9b7e4c5f' }),
});
const version = z.coerce.number().int().min(1).meta({ description: 'Number of a version', example: 2 });

const ExportQuery = z.object({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().min(1)).min(1).max(100))
    .meta({ description: 'Ids of recipes, in the order of their steps', example: 'rcp_6f1c2a0d9b7e4c5f' }),
  as: ExportFormatSchema,
});

/** How steps are done without a model. */
export function recipeRoutes({ recipes }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/recipes',
        operationId: 'listRecipes',
        tags: TAGS,
        summary:
          'All recipes, or those of a tenant, newest first: of each the version that is used, or else the newest',
        request: { query: z.object({ tenant: StartRequestSchema.shape.tenant }) },
        responses: { 200: dataOf(z.array(RecipeSchema), 'The recipes'), ...errorResponses(400, 503) },
      },
      async (c) => respond(c, await recipes.list(c.req.valid('query').tenant), 200),
    ),
    // Before the routes of one recipe, which is never called "export".
    defineRoute(
      {
        method: 'get',
        path: '/v1/recipes/export',
        operationId: 'exportRecipes',
        tags: TAGS,
        summary: 'Recipes as a test for Playwright, as steps for `surefoot run`, or as a file to import',
        request: { query: ExportQuery },
        responses: {
          200: { description: 'The file', content: { 'text/plain': { schema: z.string() } } },
          ...errorResponses(400, 404, 409, 503),
        },
      },
      async (c) => {
        const { ids, as } = c.req.valid('query');
        return c.text(await recipes.export(ids, as), 200);
      },
    ),
    defineRoute(
      {
        method: 'post',
        path: '/v1/recipes/import',
        operationId: 'importRecipes',
        tags: TAGS,
        summary: 'Read a recording of `playwright codegen`, or exported recipes, as proposals',
        description: 'What is there already is answered with `isNew: false`.',
        request: { body: { required: true, content: { 'application/json': { schema: ImportRecipesSchema } } } },
        responses: {
          200: dataOf(z.array(z.object({ recipe: RecipeSchema, isNew: z.boolean() })), 'The recipes of the file'),
          ...errorResponses(400, 413, 415, 503),
        },
      },
      async (c) => {
        const { text, variables = {}, name = 'recording', tenant } = c.req.valid('json');
        const values = new Map(Object.entries(variables));
        return respond(c, await recipes.import(text, { values, from: name, tenant }), 200);
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/recipes/{recipeId}',
        operationId: 'showRecipe',
        tags: TAGS,
        summary: 'One recipe: the version that is used, or another',
        request: { params: RecipeParams, query: z.object({ version: version.optional() }) },
        responses: { 200: dataOf(RecipeSchema, 'The recipe'), ...errorResponses(404, 409, 503) },
      },
      async (c) => respond(c, await recipes.get(c.req.valid('param').recipeId, c.req.valid('query').version), 200),
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/recipes/{recipeId}/versions',
        operationId: 'listRecipeVersions',
        tags: TAGS,
        summary: 'All versions of a recipe, oldest first',
        request: { params: RecipeParams },
        responses: { 200: dataOf(z.array(RecipeSchema), 'The versions'), ...errorResponses(404, 503) },
      },
      async (c) => respond(c, await recipes.versions(c.req.valid('param').recipeId), 200),
    ),
    defineRoute(
      {
        method: 'put',
        path: '/v1/recipes/{recipeId}/promoted',
        operationId: 'promoteRecipe',
        tags: TAGS,
        summary: 'Make a version of a recipe the one that is used',
        request: {
          params: RecipeParams,
          body: {
            required: true,
            content: { 'application/json': { schema: PromoteRecipeSchema } },
          },
        },
        responses: {
          200: dataOf(RecipeSchema, 'The recipe as it is used now'),
          ...errorResponses(400, 404, 409, 415, 503),
        },
      },
      async (c) => respond(c, await recipes.promote(c.req.valid('param').recipeId, c.req.valid('json')), 200),
    ),
    defineRoute(
      {
        method: 'delete',
        path: '/v1/recipes/{recipeId}',
        operationId: 'forgetRecipe',
        tags: TAGS,
        summary: 'Delete a recipe with all its versions',
        request: { params: RecipeParams },
        responses: {
          200: dataOf(z.object({ forgotten: z.literal(true) }), 'It is deleted'),
          ...errorResponses(404, 503),
        },
      },
      async (c) => {
        await recipes.forget(c.req.valid('param').recipeId);
        return respond(c, { forgotten: true as const }, 200);
      },
    ),
  ] as const;
}
