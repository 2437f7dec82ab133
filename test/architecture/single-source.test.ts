import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractLine } from '../../scripts/conformance/contract-ids';

const { floors } = require('../../scripts/floors.cjs') as { floors: Record<string, object> };
const ROOT = join(__dirname, '..', '..');
const IDS = JSON.parse(readFileSync(join(ROOT, 'test/conformance/contract-ids.json'), 'utf8')) as ContractLine[];
const FOLDERS = [...Object.keys(floors), 'bench'].filter((folder) => folder !== 'contracts');

/** Names that S1 declares, each with what it is declared as. */
const NAMES = IDS.filter(({ id, kind }) => kind === 'declaration' && id.startsWith('S1.')).map(({ name }) =>
  name.split(' ')[1]!.replace(/<.*/, ''),
);

function declarationsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, folder, file), 'utf8');
      return [...text.matchAll(/^(?:export )?(?:declare )?(?:interface|enum|type|class|const) (\w+)/gm)]
        .map((match) => match[1]!)
        .filter((name) => NAMES.includes(name))
        .map((name) => `${folder}/${file}: ${name}`);
    });
}

test('[S1.R30] each declaration of S1 has one home, in contracts, and is not declared again elsewhere', () => {
  expect(NAMES).toHaveLength(67);
  expect(FOLDERS.flatMap(declarationsIn)).toEqual([]);
});

test('[S1.R30] within contracts a name is declared once, except where the actions of S1 narrow it', () => {
  const places = declarationsIn('contracts');
  const files = (name: string) =>
    new Set(places.filter((place) => place.endsWith(`: ${name}`)).map((place) => place.split(':')[0]!));
  const narrowed = NAMES.filter((name) => files(name).has('contracts/events/formats/s1.ts'));
  // Two sources have a LogLevel: S1's names, and the numbers of the chat layer (X.A2).
  const twice = [...narrowed, 'LogLevel'];
  for (const name of NAMES) expect([name, files(name).size]).toEqual([name, twice.includes(name) ? 2 : 1]);
  expect([...files('LogLevel')].sort()).toEqual(['contracts/modules/module-config.ts', 'contracts/tasks/chat.ts']);
  expect(narrowed).toEqual([
    'AIGeneratedCommand',
    'ExecutorCommand',
    'AIResponse',
    'StepResult',
    'StreamEvent',
    'StreamEventData',
  ]);
});
