import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseInstruction } from '../../../../../rules/language/parse-instruction';

const EXAMPLES = join(__dirname, '../../../../../examples');
const SessionSchema = z.object({ steps: z.array(z.string()) });

function stepsOf(file: string): string[] {
  return SessionSchema.parse(JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'))).steps;
}

const steps = readdirSync(EXAMPLES)
  .filter((file) => file.endsWith('-session.json'))
  .flatMap((file) => stepsOf(file).map((step) => [file, step] as const));

test.each(steps)('%s needs no language model for: %s', (_file, step) => {
  expect(parseInstruction(step)).toMatchObject({ kind: 'actions' });
});
