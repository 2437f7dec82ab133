import { z } from 'zod';
import { BrowserActionSchema, BrowserParametersSchema } from '../commands/commands';
import { RecipeConditionSchema } from './condition';

/**
 * Finds a recipe: whose it is, the text of a step or task, the page that it begins on, and the names of the variables that it
 * may use. Neither the model nor the whole page is part of it.
 */
export const RecipeKeySchema = z.object({
  tenant: z.string().meta({ description: 'Only its sessions use and change the recipe', example: 'default' }),
  instruction: z.string().min(1),
  task: z
    .literal(true)
    .optional()
    .meta({ description: 'The text is that of a task, which a model leads to its answer' }),
  page: z.string().meta({
    description: 'Pattern of the page: origin and shape of the path',
    example: 'https://shop.example/orders/:number',
  }),
  variables: z.array(z.string()).meta({ description: 'Sorted names' }),
});
export type RecipeKey = z.infer<typeof RecipeKeySchema>;

/** By what an element is found again, and distinguished from others: its durable target, and further marks beside it. */
export const RecipeTargetSchema = z.object({
  selector: z.string().min(1),
  role: z.string(),
  name: z.string().meta({ description: 'Empty where its text is what is read' }),
  nth: z.int().min(0),
  of: z.int().min(1).meta({ description: 'So many elements have this selector; another count is another page' }),
  /** What its row, card or group says, where there is one. */
  item: z.string().optional(),
  /** The text before it, such as the label of a value. */
  label: z.string().optional(),
  /** Names of the landmarks, forms and groups around it, outermost first. */
  around: z.array(z.string()),
  /** Attributes that outlive words and places, such as `data-testid` and `id`, and where it leads: `href`, `submits`. */
  attributes: z.record(z.string(), z.string()),
});
export type RecipeTarget = z.infer<typeof RecipeTargetSchema>;

export const RecipeCommandSchema = z.object({
  action: BrowserActionSchema,
  /** With `${name}` in place of the values of variables and secrets. */
  parameters: BrowserParametersSchema,
  target: RecipeTargetSchema.optional(),
  toTarget: RecipeTargetSchema.optional(),
  /** Digest of the elements that it was chosen among, where the step does not name it: it is only chosen again among the same. */
  chosenAmong: z.string().optional(),
  part: z.int().min(0).optional().meta({ description: 'Which action of the step it belongs to, where the rules led' }),
  tool: z
    .object({ name: z.string(), args: z.record(z.string(), z.unknown()) })
    .optional()
    .meta({ description: 'Of a task: the call that it was planned from, without its refs' }),
});
export type RecipeCommand = z.infer<typeof RecipeCommandSchema>;

/** What followed commands, and has to follow them again. */
export const PostconditionSchema = z.object({
  page: z.string().meta({ description: 'Pattern of the page that they led to' }),
  /** Texts that were new on the page, numbers as `#`. */
  texts: z.array(z.string()),
  /** Requests that may have changed something: method and pattern of the address. */
  requests: z.array(z.string()),
  /** What the round was done for (`when`) is not so any more. */
  isOver: z.literal(true).optional(),
});
export type Postcondition = z.infer<typeof PostconditionSchema>;

/**
 * The commands that one look at the page was enough for; the next round begins with another look. What a step does only where
 * the page shows something, or again until it does, is a round of its own; that has no commands where nobody has needed them.
 */
export const RecipeRoundSchema = z
  .object({
    page: z.string().meta({ description: 'Pattern of the page that they run on' }),
    commands: z.array(RecipeCommandSchema),
    after: PostconditionSchema,
    /** Done only where this is so on the page as it is then. */
    when: RecipeConditionSchema.optional(),
    /** Goes with the round before it: done where that was done. */
    isJoined: z.literal(true).optional(),
    /** Done again until this is so, with a look at the page each time. */
    until: RecipeConditionSchema.optional(),
    most: z.int().min(1).optional().meta({ description: 'How often it is repeated at most' }),
    reads: z.string().optional().meta({
      description: 'Of a task: digest of all that the page says; its calls are repeated only where it says the same',
    }),
    says: z.string().optional().meta({ description: 'Of a task: the words of the model beside its calls' }),
    shownBy: z.array(z.string()).optional().meta({
      description:
        'Of the last round: steps that looked for its effect behind it; proposed as a check, never carried out',
    }),
  })
  .refine(({ commands, when, until }) => commands.length > 0 || when !== undefined || until !== undefined, {
    message: 'a round without a condition has commands',
    path: ['commands'],
  });
export type RecipeRound = z.infer<typeof RecipeRoundSchema>;

/** `altered`: its text in the database was changed by hand, so nobody uses it, and it is only listed and forgotten. */
export const RecipeStatusSchema = z.enum(['proposed', 'promoted', 'retired', 'altered']);
export type RecipeStatus = z.infer<typeof RecipeStatusSchema>;

export const RecipeCountsSchema = z.object({
  used: z.int().min(0),
  healed: z.int().min(0),
  failed: z.int().min(0),
  failedInARow: z.int().min(0),
});
export type RecipeCounts = z.infer<typeof RecipeCountsSchema>;

/** Who let a version be used, and when. */
export const PromotionSchema = z.object({
  by: z.enum(['session', 'person']),
  /** The session that left it, or the person as they named themselves. */
  who: z.string().optional(),
  /** The version that was used until then. */
  replaced: z.int().optional(),
  at: z.coerce.date(),
});
export type Promotion = z.infer<typeof PromotionSchema>;

/** How a step is done without a model: one version of it. */
export const RecipeSchema = z.object({
  recipeId: z.string().meta({ example: 'rcp_6f1c2a0d9b7e4c5f' }),
  key: RecipeKeySchema,
  version: z.int().min(1),
  status: RecipeStatusSchema,
  /** The session and step that it was learnt from. */
  source: z.object({ sessionId: z.string(), stepIndex: z.int() }),
  counts: RecipeCountsSchema,
  promotions: z.array(PromotionSchema).meta({ description: 'Of this version, oldest first' }),
  rounds: z.array(RecipeRoundSchema).meta({ description: 'At least one; none of an altered recipe' }),
  createdAt: z.coerce.date(),
});
export type Recipe = z.infer<typeof RecipeSchema>;

const ID = /^rcp_[0-9a-f]{16}$/;

export function isRecipeId(text: string): boolean {
  return ID.test(text);
}

/** A replayed step fails for good after so many failures in a row: its recipe is retired. */
export const FAILURES_TO_RETIRE = 2;
