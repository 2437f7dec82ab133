import { z } from 'zod';
import { VARIABLE_NAME } from '../commands/definitions/reading';
import { StartRequestSchema } from './start-request';

/** What recipes are read from. */
export const ImportRecipesSchema = z.strictObject({
  text: z.string().min(1).max(1_000_000).meta({ description: 'A recording in TypeScript, or JSON of an export' }),
  name: z.string().min(1).max(200).optional().meta({ description: 'Name of the file', example: 'login.spec.ts' }),
  variables: z
    .record(z.string().regex(VARIABLE_NAME), z.string().min(1))
    .optional()
    .meta({ description: 'Values of the recording that become variables or secrets, by name; none is stored' }),
  tenant: StartRequestSchema.shape.tenant.meta({ description: 'Whose recipes they become' }),
});
export type ImportRecipes = z.input<typeof ImportRecipesSchema>;
