import { z } from 'zod';
import { InvestigationToolSchema } from './investigation';
import { oneLine } from '../text';

/** S1.31.42. */
export const WorkingMemoryUpdateTypeSchema = z.enum([
  'element_discovery',
  'page_insight',
  'variable_extraction',
  'pattern_learning',
  'investigation_preference',
]);

const confidence = z.number().min(0).max(1);
const page = z.string();

/** What a session has learnt; each kind of update has its entry. No entry contains the value of a variable. */
export const MemoryEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('element_discovery'),
    page,
    selector: z.string(),
    elementType: z.string(),
    name: z.string(),
    confidence,
    isReliable: z.boolean(),
  }),
  z.object({ kind: z.literal('page_insight'), page, text: z.string(), confidence }),
  z.object({ kind: z.literal('variable_extraction'), name: z.string(), stepIndex: z.number(), confidence }),
  z.object({ kind: z.literal('pattern_learning'), text: z.string(), occurrences: z.number(), confidence }),
  z.object({ kind: z.literal('investigation_preference'), page, tool: InvestigationToolSchema, confidence }),
]);
export type MemoryEntry = z.infer<typeof MemoryEntrySchema>;
export type MemoryKind = MemoryEntry['kind'];

/** Beyond these the oldest entries of the lowest confidence are dropped. */
export const MEMORY_LIMITS: Record<MemoryKind, number> = {
  element_discovery: 500,
  page_insight: 100,
  variable_extraction: 200,
  pattern_learning: 50,
  investigation_preference: 100,
};

/** So many occurrences make a pattern. */
export const PATTERN_OCCURRENCES = 3;

const LONGEST_TEXT = 500;

/** Entries with the same key are about the same thing; the newer one counts. */
export function memoryKey(entry: MemoryEntry): string {
  switch (entry.kind) {
    case 'element_discovery':
      return `${entry.page} ${entry.selector}`;
    case 'page_insight':
    case 'investigation_preference':
      return entry.page;
    case 'variable_extraction':
      return entry.name;
    case 'pattern_learning':
      return entry.text;
  }
}

/** The key of a page in the memory, without query and fragment, which often differ on the same page. */
export function pageKey(url: string): string {
  return url.replace(/[?#].*$/s, '').slice(0, LONGEST_TEXT);
}

export function memoryText(text: string): string {
  return oneLine(text, LONGEST_TEXT);
}
