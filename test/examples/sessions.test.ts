import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseStart, StepsSchema } from '../../contracts/sessions/start-request';

describe('the sample sessions', () => {
  const folder = join(__dirname, '../../examples');
  const samples = readdirSync(folder).filter((name) => name.endsWith('.json'));

  it.each(samples)('%s is a request that every door accepts', (name) => {
    expect(parseStart(JSON.parse(readFileSync(join(folder, name), 'utf8')))).toMatchObject({
      kind: 'valid',
      plan: { warnings: [] },
    });
  });

  it('search.txt has one step per line', () => {
    const lines = readFileSync(join(folder, 'search.txt'), 'utf8').trimEnd().split('\n');
    expect(StepsSchema.parse(lines)).toHaveLength(6);
  });
});
