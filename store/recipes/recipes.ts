import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  FAILURES_TO_RETIRE,
  PromotionSchema,
  RecipeRoundSchema,
  type Promotion,
  type Recipe,
  type RecipeCounts,
  type RecipeKey,
  type RecipeRound,
  type RecipeStatus,
} from '../../contracts/recipes/recipe';
import { ANY_PAGE } from '../../contracts/recipes/page-pattern';
import { canonicalJson } from '../../contracts/json';
import type { Sql } from '../database/connect';

/** What became of a recipe in one step. */
export type RecipeOutcome = 'used' | 'healed' | 'failed';

/** A use of a recipe in a session. */
export interface RecipeUse {
  stepIndex: number;
  recipeId: string;
  version: number;
  outcome: RecipeOutcome;
}

export type Promoter = Pick<Promotion, 'by' | 'who'>;

export interface ProposedRecipe {
  key: RecipeKey;
  rounds: RecipeRound[];
  source: Recipe['source'];
}

/** A recipe whose text in the database was changed by hand, or has another form: it is never used. */
export type StoredRecipe = Recipe & { isIntact: boolean };

/** Recipes by id, in versions; of each at most one version is promoted, which is the one that is used. */
export interface RecipeRows {
  /** The version that is used; null where there is none. */
  promoted(recipeId: string): Promise<StoredRecipe | null>;
  /** One version, or the one that is used, or else the newest; null where there is none. */
  get(recipeId: string, version?: number): Promise<StoredRecipe | null>;
  /** Those of a tenant, or all of them, as `get` without a version has them, newest first. */
  list(tenant?: string): Promise<StoredRecipe[]>;
  /** The rounds of the tenant's recipes, in any version, that have sent something on pages of this pattern; the newest first. */
  sending(tenant: string, page: string): Promise<RecipeRound[]>;
  versions(recipeId: string): Promise<StoredRecipe[]>;
  /** The number of the newest version, which may be erased; 0 where there was none. */
  newestVersion(recipeId: string): Promise<number>;
  /**
   * Adds the version after `replaces`, which its session may promote. Undefined where another session has added one
   * meanwhile: nothing is overwritten.
   */
  propose(recipe: ProposedRecipe, replaces: number, isPromoted: boolean): Promise<number | undefined>;
  /** Makes this version the one that is used, and notes who said so; false where there is none. */
  promote(recipeId: string, version: number, promoter: Promoter): Promise<boolean>;
  /** Removes all versions; false where there is no such recipe. */
  forget(recipeId: string): Promise<boolean>;
  /** Counts a use, the first that is noted of a step. A recipe that fails twice in a row is retired. */
  noteUse(sessionId: string, use: RecipeUse): Promise<void>;
  usesOf(sessionId: string): Promise<RecipeUse[]>;
}

/** The id of the recipe of a key. */
export function recipeIdOf({ tenant, instruction, task, page, variables }: RecipeKey): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([tenant, instruction, page, variables, ...(task === true ? ['task'] : [])]))
    .digest('hex');
  return `rcp_${digest.slice(0, 16)}`;
}

type RecipeRow = Omit<RecipeKey, 'task'> &
  RecipeCounts & {
    isTask: boolean;
    recipeId: string;
    version: number;
    status: RecipeStatus;
    promotions: unknown;
    rounds: string;
    digest: string;
    sessionId: string;
    stepIndex: number;
    at: Date;
  };

/** A page has fewer than this. */
const MOST_SENDING = 50;

const RoundsSchema = z.array(RecipeRoundSchema).min(1);

export function createRecipeRows(sql: Sql): RecipeRows {
  const json = (value: unknown) => sql.json(value as never);
  const columns = sql`
    r.recipe_id, r.tenant, r.instruction, r.is_task, r.page, r.variables, r.used, r.healed, r.failed, r.failed_in_a_row,
    v.version, v.status, v.promotions, v.rounds, v.digest, v.session_id, v.step_index, v.at`;
  const joined = sql`recipes r join recipe_versions v using (recipe_id)`;
  // The newest version may be erased.
  const shown = sql`coalesce(r.promoted, (select max(version) from recipe_versions n where n.recipe_id = r.recipe_id))`;
  return {
    async promoted(recipeId) {
      const [row] = await sql<RecipeRow[]>`
        select ${columns} from ${joined} where r.recipe_id = ${recipeId} and v.version = r.promoted`;
      return row === undefined ? null : toRecipe(row);
    },
    async get(recipeId, version) {
      const [row] = await sql<RecipeRow[]>`
        select ${columns} from ${joined}
        where r.recipe_id = ${recipeId} and v.version = ${version ?? shown}`;
      return row === undefined ? null : toRecipe(row);
    },
    async list(tenant) {
      const ofTenant = tenant === undefined ? sql`` : sql`and r.tenant = ${tenant}`;
      const rows = await sql<RecipeRow[]>`
        select ${columns} from ${joined} where v.version = ${shown} ${ofTenant} order by r.at desc, recipe_id`;
      return rows.map(toRecipe);
    },
    async sending(tenant, page) {
      // Canonical JSON: a list that is not empty begins so. Where a text only looks like it, its rounds say otherwise.
      const rows = await sql<RecipeRow[]>`
        select ${columns} from ${joined} where r.tenant = ${tenant} and position('"requests":["' in v.rounds) > 0
          and (position(${JSON.stringify(page)} in v.rounds) > 0 or position(${`"page":"${ANY_PAGE}"`} in v.rounds) > 0)
        order by v.at desc limit ${MOST_SENDING}`;
      return rows.flatMap((row) => toRecipe(row).rounds);
    },
    async versions(recipeId) {
      const rows = await sql<RecipeRow[]>`
        select ${columns} from ${joined} where r.recipe_id = ${recipeId} order by v.version`;
      return rows.map(toRecipe);
    },
    async newestVersion(recipeId) {
      const [row] = await sql<{ version: number }[]>`select version from recipes where recipe_id = ${recipeId}`;
      return row?.version ?? 0;
    },
    async propose({ key, rounds, source }, replaces, isPromoted) {
      const text = canonicalJson(rounds);
      const recipe = { recipeId: recipeIdOf(key), ...key, ...source, rounds: text, digest: digestOf(key, text) };
      const [row] = await sql<{ version: number | null }[]>`
        select propose_recipe(${json(recipe)}, ${replaces}, ${isPromoted}) as version`;
      return row?.version ?? undefined;
    },
    async promote(recipeId, version, promoter) {
      const [row] = await sql<{ isThere: boolean }[]>`
        select promote_recipe(${recipeId}, ${version}, ${json(promoter)}) as is_there`;
      return row!.isThere;
    },
    async forget(recipeId) {
      const { count } = await sql`delete from recipes where recipe_id = ${recipeId}`;
      return count === 1;
    },
    async noteUse(sessionId, { stepIndex, recipeId, version, outcome }) {
      await sql`
        select note_recipe_use(${sessionId}, ${stepIndex}, ${recipeId}, ${version}, ${outcome}, ${FAILURES_TO_RETIRE})`;
    },
    usesOf: async (sessionId) => [
      ...(await sql<RecipeUse[]>`
        select step_index, recipe_id, version, outcome from recipe_uses
        where session_id = ${sessionId} order by step_index`),
    ],
  };
}

function toRecipe(row: RecipeRow): StoredRecipe {
  const { recipeId, tenant, instruction, isTask, page, variables, version, status, sessionId, stepIndex, at } = row;
  const { used, healed, failed, failedInARow } = row;
  const key = { tenant, instruction, ...(isTask ? { task: true as const } : {}), page, variables };
  const rounds = RoundsSchema.safeParse(jsonIn(row.rounds));
  return {
    recipeId,
    key,
    version,
    status,
    source: { sessionId, stepIndex },
    counts: { used, healed, failed, failedInARow },
    promotions: PromotionSchema.array().parse(row.promotions),
    rounds: rounds.data ?? [],
    createdAt: at,
    isIntact: rounds.success && recipeId === recipeIdOf(key) && row.digest === digestOf(key, row.rounds),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function digestOf(key: RecipeKey, rounds: string): string {
  return createHash('sha256')
    .update(`${recipeIdOf(key)}\n${rounds}`)
    .digest('hex');
}
