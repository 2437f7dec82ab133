import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ValueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const StepSchema = z.object({
  id: z.string(),
  person: z.string(),
  step: z.string(),
  possible: z.boolean(),
  ambiguous: z.boolean().optional(),
  why: z.string().optional(),
  /** Scripts that bring the page into the state in which the step begins. */
  before: z.array(z.string()).default([]),
  /** Each key of the page's state that differs afterwards; several values where any of them is right. */
  expect: z.record(z.string(), z.union([ValueSchema, z.array(ValueSchema)])).default({}),
  ignore: z.array(z.string()).default([]),
  /** Variables that the step saves, with the values that are right. */
  saved: z.record(z.string(), z.union([ValueSchema, z.array(ValueSchema)])).default({}),
});

/** One step on a page, and what is right. */
export type CorpusStep = z.output<typeof StepSchema>;

const PageSchema = z.object({ page: z.string(), steps: z.array(StepSchema) });

export interface CorpusPage {
  corpus: string;
  /** The file of the page, from the folder of all corpora. */
  path: string;
  steps: CorpusStep[];
}

/** Reads every corpus below a folder: each folder with pages beside files of their steps. */
export function readCorpora(root: string): CorpusPage[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    const { page, steps } = PageSchema.parse(JSON.parse(readFileSync(join(root, file), 'utf8')));
    const folder = file.split('/').slice(0, -1).join('/');
    return { corpus: folder, path: join(folder, page), steps };
  });
}
