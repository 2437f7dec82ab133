/** The blocks of docs/: a reader can run each, or sees that it is no program. test/e2e/guides runs those of the guides. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartRequestSchema } from '../../contracts/sessions/start-request';
import { readBlocks, type DocBlock } from '../support/doc-blocks';
import { BESIDE_A_STACK, WITH_A_STACK } from '../support/guides';

const pages = readdirSync(join(__dirname, '..', '..', 'docs')).filter((name) => name.endsWith('.md'));
const blocks = pages.flatMap((page) => readBlocks(page).map((block) => ({ ...block, page })));
const run = new Set(['tutorial', ...WITH_A_STACK, ...BESIDE_A_STACK].map((guide) => `${guide}.md`));

const isProgram = ({ language, info }: DocBlock): boolean =>
  ['sh', 'js', 'ts'].includes(language) && !info.some((word) => word === 'fragment' || word.startsWith('needs='));

test('every block that is a program is run by a test, as a block of a guide or word for word in one', () => {
  const texts = new Set(blocks.filter(({ page }) => run.has(page)).map(({ text }) => text));
  const left = blocks.filter((block) => isProgram(block) && !run.has(block.page) && !texts.has(block.text));
  expect(left.map(({ place }) => place)).toEqual([]);
});

test('a program of a guide is a file with a name, or commands for a shell', () => {
  const unnamed = blocks.filter(
    (block) => isProgram(block) && block.language !== 'sh' && !block.info.some((word) => word.startsWith('file=')),
  );
  expect(unnamed.map(({ place }) => place)).toEqual([]);
});

test('commands that no test can run, as they need an account or a person, are whole all the same', () => {
  const commands = blocks.filter(
    ({ language, info }) => language === 'sh' && info.some((word) => word.startsWith('needs=')),
  );
  const wrong = commands.filter(
    ({ text }) => text.includes('…') || spawnSync('bash', ['-n'], { input: text }).status !== 0,
  );
  expect(commands.length).toBeGreaterThan(0);
  expect(wrong.map(({ place }) => place)).toEqual([]);
});

test('every block of JSON is JSON, and one with steps is a request that can be started', () => {
  const wrong = blocks
    .filter(({ language }) => language === 'json')
    .flatMap(({ text, place }) => {
      const value = JSON.parse(text) as object;
      if (!('steps' in value)) return [];
      const { error } = StartRequestSchema.safeParse(value);
      return error === undefined ? [] : [`${place}: ${error.message}`];
    });
  expect(wrong).toEqual([]);
});
