import type { ExportFormat } from '../../contracts/recipes/export-format';
import { isRecipeId, type Recipe } from '../../contracts/recipes/recipe';
import type { RecipeFile } from '../../contracts/recipes/recipe-file';
import { canonicalJson } from '../../contracts/json';
import type { PromoteRecipe } from '../../contracts/recipes/promote-request';
import { DEFAULT_TENANT } from '../../contracts/sessions/start-request';
import { recipeIdOf, type ProposedRecipe, type StoredRecipe } from '../../store/recipes/recipes';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { ClientError } from '../port/port';
import { notFound } from '../rows/session-row';
import { exportRecipes } from './export/export-recipes';
import { NotTaken } from './import/refusal';
import type { ImportOptions } from './import/read-file';

/** Recipes: how steps are done without a model. Methods may throw ClientError. */
export interface Recipes {
  /**
   * Those of a tenant, or all of them, newest first: of each the version that is used, or else the newest. One that was
   * changed by hand in the database is `altered`, without its rounds; it can only be forgotten.
   */
  list(tenant?: string): Promise<Recipe[]>;
  /** One version, or the one that is used, or else the newest. */
  get(recipeId: string, version?: number): Promise<Recipe>;
  /** All versions, oldest first. */
  versions(recipeId: string): Promise<Recipe[]>;
  /** Recipes, in this order, as the text of a file. */
  export(recipeIds: readonly string[], format: ExportFormat): Promise<string>;
  /** Adds what a file has, a recording or exported recipes, as proposals: nobody uses them before they are promoted. */
  import(text: string, options: ImportOptions & { tenant?: string | undefined }): Promise<ImportedRecipe[]>;
  /** Makes a version the one that is used: a proposal that a person agrees with, or an earlier one. */
  promote(recipeId: string, request: PromoteRecipe): Promise<Recipe>;
  /** Deletes a recipe with all its versions. The next session leaves another. */
  forget(recipeId: string): Promise<void>;
}

/** A recipe of a file; `isNew` is false where its newest or its used version does the same already. */
export interface ImportedRecipe {
  recipe: Recipe;
  isNew: boolean;
}

export function createRecipes({ store }: { store: Pick<Store, 'recipes'> }): Recipes {
  const get = async (recipeId: string, version?: number): Promise<Recipe> => {
    assertId(recipeId);
    const found = await store.recipes.get(recipeId, version);
    if (found === null) throw noRecipe(recipeId, version);
    return intact(found);
  };
  const propose = async (given: ProposedRecipe): Promise<ImportedRecipe> => {
    const recipeId = recipeIdOf(given.key);
    const rounds = canonicalJson(given.rounds);
    for (;;) {
      const newest = await store.recipes.newestVersion(recipeId);
      const same = (await store.recipes.versions(recipeId)).findLast(
        ({ isIntact, status, version, rounds: known }) =>
          isIntact && (status === 'promoted' || version === newest) && canonicalJson(known) === rounds,
      );
      if (same !== undefined) return { recipe: intact(same), isNew: false };
      const version = await store.recipes.propose(given, newest, false);
      // Undefined: a session has added a version meanwhile, which may be the same.
      if (version !== undefined) return { recipe: await get(recipeId, version), isNew: true };
    }
  };
  return {
    list: (tenant) => fromStore(async () => (await store.recipes.list(tenant)).map(shown)),
    get: (recipeId, version) => fromStore(() => get(recipeId, version)),
    versions: (recipeId) =>
      fromStore(async () => {
        assertId(recipeId);
        const found = await store.recipes.versions(recipeId);
        if (found.length === 0) throw noRecipe(recipeId);
        return found.map(shown);
      }),
    export: (recipeIds, format) =>
      fromStore(async () => {
        const recipes = await Promise.all(recipeIds.map((recipeId) => get(recipeId)));
        return exportRecipes(recipes, format);
      }),
    import: (text, { tenant = DEFAULT_TENANT, ...options }) =>
      fromStore(async () => {
        const given = await readGiven(text, options);
        const imported: ImportedRecipe[] = [];
        for (const { key, ...recipe } of given) imported.push(await propose({ key: { tenant, ...key }, ...recipe }));
        return imported;
      }),
    promote: (recipeId, { version, by }) =>
      fromStore(async () => {
        await get(recipeId, version);
        const promoter = { by: 'person' as const, ...(by === undefined ? {} : { who: by }) };
        if (!(await store.recipes.promote(recipeId, version, promoter))) throw noRecipe(recipeId, version);
        return await get(recipeId, version);
      }),
    forget: (recipeId) =>
      fromStore(async () => {
        assertId(recipeId);
        if (!(await store.recipes.forget(recipeId))) throw noRecipe(recipeId);
      }),
  };
}

/** A file that is refused is refused whole. The reader of recordings is loaded when it is needed. */
async function readGiven(text: string, options: ImportOptions): Promise<RecipeFile['recipes']> {
  const { readRecipes } = await import('./import/read-file.js');
  return await readRecipes(text, options).catch((error: unknown) => {
    throw error instanceof NotTaken ? new ClientError('invalid', 'SP001', error.message) : error;
  });
}

function shown({ isIntact, ...recipe }: StoredRecipe): Recipe {
  return isIntact ? recipe : { ...recipe, status: 'altered', rounds: [] };
}

function intact({ isIntact, ...recipe }: StoredRecipe): Recipe {
  if (isIntact) return recipe;
  throw new ClientError(
    'wrong-state',
    'CM004',
    `The recipe ${recipe.recipeId} was changed by hand in the database, so it is not used; forget it, and the next session leaves another.`,
  );
}

function assertId(recipeId: string): void {
  if (!isRecipeId(recipeId))
    throw notFound(`There is no recipe ${JSON.stringify(recipeId)}: ids look like rcp_6f1c2a0d9b7e4c5f.`);
}

function noRecipe(recipeId: string, version?: number): ClientError {
  return notFound(`There is no ${version === undefined ? '' : `version ${version} of `}recipe ${recipeId}.`);
}
