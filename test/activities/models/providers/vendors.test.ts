/** A new vendor is an entry in contracts/models/vendors.ts and one in activities/engine/models/providers/index.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS } from '../../../../activities/engine/models/providers';
import { readVendorValues } from '../../../../activities/engine/models/providers/account';
import type { aiProvider } from '../../../../activities/engine/models/providers/ai/provider';
import type { Provider } from '../../../../activities/engine/models/providers/provider';
import { ProviderError } from '../../../../activities/engine/models/providers/provider-error';
import { callerEnv, keysOf } from '../../../../contracts/sessions/model-connections';
import { VENDOR_NAMES, VENDORS, type VendorDefinition, type VendorSetting } from '../../../../contracts/models/vendors';

test('a vendor without a provider or an account, or with an unknown setting, does not compile', () => {
  // @ts-expect-error -- the providers of all other vendors are missing.
  const incomplete: typeof PROVIDERS = { vertexai: PROVIDERS.vertexai };
  // @ts-expect-error -- no such vendor.
  const unknown: Provider<'ai:acme'> | undefined = undefined;
  // @ts-expect-error -- an account at least.
  const free: VendorDefinition = { through: 'ai, @ai-sdk/acme', accounts: [] };
  // @ts-expect-error -- an environment variable at least.
  const setting: VendorSetting = { variables: [] };
  const connect: Parameters<typeof aiProvider<'ai:openai', unknown>>[0]['connect'] = (_, settings) => {
    // @ts-expect-error -- a setting of Vertex AI.
    return settings.project;
  };
  expect([incomplete, unknown, free, setting, connect]).toHaveLength(5);
});

test('of several variables the first that is set is used, and a default stands for one that is not', () => {
  const env = { GOOGLE_CLOUD_PROJECT: 'old', VERTEX_PROJECT: 'new', VERTEX_LOCATION: '' };
  expect(readVendorValues('vertexai', 'vertexai/m', env)).toEqual({ project: 'new', location: 'us-central1' });
});

test('genai takes an API key, and the settings of Vertex AI where there is none', () => {
  const vertex = { VERTEX_PROJECT: 'acme' };
  expect(readVendorValues('genai', 'genai/m', { ...vertex, GEMINI_API_KEY: 'k' })).toEqual({ apiKey: 'k' });
  expect(readVendorValues('genai', 'genai/m', vertex)).toEqual({ project: 'acme', location: 'us-central1' });
});

test("[S2.43] with a caller's key no vendor's model is called with a key of the workers", () => {
  const variables = VENDOR_NAMES.flatMap((vendor) =>
    (VENDORS[vendor] as VendorDefinition).accounts.flatMap(({ settings }) =>
      Object.values(settings).flatMap((setting) => setting.variables),
    ),
  );
  const env = Object.fromEntries(variables.map((variable) => [variable, `the workers' ${variable}`]));
  for (const vendor of VENDOR_NAMES) {
    const own = callerEnv({ vendor, key: 'of the caller' }, env);
    const values = readVendorValues(vendor, `${vendor}/m`, own) as { apiKey?: string; token?: string };
    expect({ vendor, key: values.apiKey ?? values.token }).toEqual({ vendor, key: 'of the caller' });
    expect(keysOf(vendor, own).every((key) => key === 'of the caller')).toBe(true);
  }
});

test.each([
  ['ai:openai', 'credentials', "ai:openai/m can't be called: OPENAI_API_KEY is not set."],
  ['genai', 'settings', /VERTEX_PROJECT or GOOGLE_CLOUD_PROJECT is not set/],
  ['ai:openai-compatible', 'settings', /OPENAI_COMPATIBLE_BASE_URL is not set \(Ollama's is http:/],
] as const)('a call of %s without its settings is an error of %s', (vendor, kind, message) => {
  const error = ((): unknown => {
    try {
      return readVendorValues(vendor, `${vendor}/m`, {});
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(ProviderError);
  expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
});

test('docs/models.md lists every vendor with its packages and settings (UPDATE_GOLDEN=1 writes the table)', () => {
  const file = join(__dirname, '../../../../docs/models.md');
  const text = readFileSync(file, 'utf8');
  const table = /(?<=^## Providers\n\n.*\n\n)\|[\s\S]*?(?=\n\n)/m;
  const rows = Object.entries(VENDORS).map(([name, vendor]: [string, VendorDefinition]) => [
    `\`${name}/…\``,
    vendor.through,
    [vendor.accounts.map(settingsText).join('; without these '), vendor.note].filter(Boolean).join('; '),
  ]);
  const written = toTable([['vendor', 'through', 'settings'], ...rows]);
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(
      file,
      text.replace(table, () => written),
    );
  expect(table.exec(readFileSync(file, 'utf8'))?.[0]).toBe(written);
});

test('docker-compose.yml hands the settings of every vendor on to its containers', () => {
  const compose = readFileSync(join(__dirname, '../../../../docker-compose.yml'), 'utf8');
  const variables = Object.values(VENDORS).flatMap(({ accounts }: VendorDefinition) =>
    accounts.flatMap(({ settings }) => Object.values(settings).flatMap((setting) => setting.variables)),
  );
  expect(variables.filter((name) => !compose.includes(`\n    ${name}:\n`))).toEqual([]);
});

function settingsText({ settings }: VendorDefinition['accounts'][number]): string {
  return Object.values(settings)
    .map(({ variables, required, default: value }: VendorSetting) => {
      const how = required === undefined ? (value === undefined ? ' (optional)' : ` (default ${value})`) : '';
      return variables.join(' or ') + how;
    })
    .join(', ');
}

/** As prettier formats it. */
function toTable([head, ...rows]: string[][]): string {
  const widths = head!.map((_, column) => Math.max(...[head!, ...rows].map((row) => row[column]!.length)));
  const line = (cells: string[]): string => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head!), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
