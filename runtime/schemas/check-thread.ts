import type { JsonSchema } from '../../contracts/results/result-request';
import type { Draft } from './compile';
import { patternProblems, reasonOf, resultProblems, valueProblems } from './problems';
import type { SchemaProblem } from './schema-problem';

/** What a thread is to check: a schema, or a value by a schema. */
export type Check =
  | { kind: 'result-schema'; schema: JsonSchema }
  | { kind: 'tool-schema'; schema: JsonSchema }
  | { kind: 'value'; schema: JsonSchema; value: unknown; draft: Draft };

/** `unusable`: the schema can't be compiled, so that nothing can be checked by it. */
export type CheckAnswer = { kind: 'checked'; problems: SchemaProblem[] } | { kind: 'unusable'; message: string };

// What the first check of a thread makes is made before it: the machine may be busy, and that is no fault of a schema.
resultProblems({ type: 'object' });

/** `started` becomes 1 when the check begins: the time that its thread takes to start does not count. */
export function answerCheck({ check: asked, started }: { check: Check; started: Int32Array }): CheckAnswer {
  Atomics.store(started, 0, 1);
  switch (asked.kind) {
    case 'result-schema':
      return { kind: 'checked', problems: resultProblems(asked.schema) };
    case 'tool-schema':
      return { kind: 'checked', problems: patternProblems(asked.schema) };
    case 'value':
      try {
        return { kind: 'checked', problems: valueProblems(asked.schema, asked.value, asked.draft) };
      } catch (error) {
        return { kind: 'unusable', message: reasonOf(error) };
      }
  }
}
