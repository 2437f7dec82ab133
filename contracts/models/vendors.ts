/**
 * The vendors of models. A vendor's entry says how its models are named (`vendor/model`), which environment variables
 * configure it, and what the documentation says of it; its provider is in activities/engine/models/providers/index.ts.
 */
export interface VendorSetting {
  /** Environment variables; the first that is set is used. */
  variables: readonly [string, ...string[]];
  /** The kind of error of a call without this setting. A setting without it is optional. */
  required?: 'settings' | 'credentials';
  default?: string;
  /** Follows the error of a missing setting, in parentheses. */
  hint?: string;
  /** True for a value that changes while the account stays the same, such as a token that is renewed. */
  isTransient?: true;
}

/** Who pays for a call. Vendors of one account share its rate limits. */
export interface VendorAccount {
  name: string;
  settings: Readonly<Record<string, VendorSetting>>;
}

export interface VendorDefinition {
  /** The packages that the vendor is called through. */
  through: string;
  /** The first account whose required settings are all set is used, otherwise the last. */
  accounts: readonly [VendorAccount, ...VendorAccount[]];
  /** Its models have a tool of their own for acting by coordinates (`config.agent.computerUse`). */
  hasComputerUse?: true;
  /** Ends the vendor's row in docs/models.md. */
  note?: string;
}

const VERTEX = {
  name: 'google-vertex',
  settings: {
    project: { variables: ['VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT'], required: 'settings' },
    location: { variables: ['VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION'], default: 'us-central1' },
    endpoint: { variables: ['VERTEX_API_ENDPOINT'] },
    token: { variables: ['VERTEX_ACCESS_TOKEN'], isTransient: true },
  },
} as const satisfies VendorAccount;

const GEMINI = {
  name: 'gemini',
  settings: {
    apiKey: { variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], required: 'credentials' },
    baseURL: { variables: ['GEMINI_BASE_URL'] },
  },
} as const satisfies VendorAccount;

export const VENDORS = {
  genai: { hasComputerUse: true, through: '@google/genai', accounts: [GEMINI, VERTEX] },
  vertexai: {
    through: '@google-cloud/vertexai',
    accounts: [VERTEX],
    note: "credentials: Google's application default credentials",
  },
  'ai:openai': {
    through: 'ai, @ai-sdk/openai (Responses)',
    hasComputerUse: true,
    accounts: [
      {
        name: 'openai',
        settings: {
          apiKey: { variables: ['OPENAI_API_KEY'], required: 'credentials' },
          baseURL: { variables: ['OPENAI_BASE_URL'] },
        },
      },
    ],
  },
  'ai:anthropic': {
    through: 'ai, @ai-sdk/anthropic',
    hasComputerUse: true,
    accounts: [
      {
        name: 'anthropic',
        settings: {
          apiKey: { variables: ['ANTHROPIC_API_KEY'], required: 'credentials' },
          baseURL: { variables: ['ANTHROPIC_BASE_URL'] },
        },
      },
    ],
  },
  'ai:openai-compatible': {
    through: 'ai, @ai-sdk/openai-compatible: Ollama, vLLM, …',
    accounts: [
      {
        name: 'openai-compatible',
        settings: {
          baseURL: {
            variables: ['OPENAI_COMPATIBLE_BASE_URL'],
            required: 'settings',
            hint: "Ollama's is http://127.0.0.1:11434/v1",
          },
          apiKey: { variables: ['OPENAI_COMPATIBLE_API_KEY'] },
        },
      },
    ],
  },
} as const satisfies Readonly<Record<string, VendorDefinition>>;

export type VendorName = keyof typeof VENDORS;
export const VENDOR_NAMES = Object.keys(VENDORS) as VendorName[];

type PresentKey<Settings> = {
  [Key in keyof Settings]: Settings[Key] extends { required: string } | { default: string } ? Key : never;
}[keyof Settings];
type AccountValues<Settings> = { [Key in PresentKey<Settings>]: string } & {
  [Key in Exclude<keyof Settings, PresentKey<Settings>>]?: string;
};
type SettingsOf<Account> = Account extends { settings: infer Settings } ? AccountValues<Settings> : never;

/** What a provider is configured with: its required settings, and those others that are set. */
export type VendorValues<Vendor extends VendorName> = SettingsOf<(typeof VENDORS)[Vendor]['accounts'][number]>;

export interface AccountInUse {
  account: VendorAccount;
  /** The settings that are set, and defaults. */
  values: Readonly<Record<string, string>>;
  /** The first required setting that is not set. */
  missing: VendorSetting | undefined;
}

/** Reads the account of a vendor from the environment. */
export function accountOf(vendor: VendorName, env: Readonly<Record<string, string | undefined>>): AccountInUse {
  const accounts = (VENDORS[vendor] as VendorDefinition).accounts.map((account): AccountInUse => {
    const entries = Object.entries(account.settings).map(([key, setting]) => {
      const value = setting.variables.map((name) => env[name]).find((each) => each) ?? setting.default;
      return { key, setting, value };
    });
    const values = entries.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const]));
    const missing = entries.find(({ setting, value }) => setting.required !== undefined && value === undefined);
    return { account, values: Object.fromEntries(values), missing: missing?.setting };
  });
  return accounts.find(({ missing }) => missing === undefined) ?? accounts.at(-1)!;
}
