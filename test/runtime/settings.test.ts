import { z } from 'zod';
import { SECTIONS } from '../../runtime/settings/definitions';
import { settingsOf } from '../../runtime/settings/describe';
import { PROCESS_SECTIONS } from '../../runtime/settings/process-definitions';
import { defineSetting, readGroup, readSetting } from '../../runtime/settings/setting';

const everySetting = Object.values({ ...SECTIONS, ...PROCESS_SECTIONS }).flatMap(settingsOf);

test('every variable is defined once, and with a sentence', () => {
  const names = everySetting.map(({ env }) => env);
  expect(names).toEqual([...new Set(names)]);
  for (const { doc } of everySetting) expect(doc).toMatch(/^\S.+\.$/);
});

test('a setting without its name, schema or sentence does not compile', () => {
  // @ts-expect-error a setting needs a sentence for the docs
  defineSetting({ env: 'SUREFOOT_X', schema: z.string() });
  // @ts-expect-error a setting needs a schema
  defineSetting({ env: 'SUREFOOT_X', doc: 'What it is for.' });
  // @ts-expect-error a setting needs the name of its variable
  defineSetting({ schema: z.string(), doc: 'What it is for.' });
  const group = {
    seconds: defineSetting({ env: 'SUREFOOT_X', schema: z.coerce.number().default(3), doc: 'Seconds.' }),
  };
  const values = readGroup(group, { SUREFOOT_X: '' });
  const seconds: number = values.seconds;
  expect(seconds).toBe(3);
  // @ts-expect-error the type of a value is the one of its schema
  const text: string = values.seconds;
  expect(text).toBe(3);
});

test('a value that is not usable is refused with the name of its variable and what was expected', () => {
  const port = defineSetting({ env: 'SUREFOOT_X', schema: z.coerce.number().max(9), doc: 'A port.' });
  expect(() => readSetting(port, { SUREFOOT_X: '10' })).toThrow(
    /^The environment variable SUREFOOT_X is not usable: Too big: expected number to be <=9\.$/,
  );
});
