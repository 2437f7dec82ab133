/** Guides whose blocks bring their stack up themselves; test/e2e/guides runs them. */
export const WITH_A_STACK = ['ci', 'own-tools', 'webhooks'] as const;

/** Guides whose blocks run while `surefoot dev` runs in another terminal. */
export const BESIDE_A_STACK = [
  'cli',
  'cookbook',
  'signing-in',
  'profiles',
  'schedules',
  'batches',
  'once',
  'package',
  'agents',
  'files',
  'mcp',
  'results',
  'recipes',
  'evaluation',
  'models',
  'temporal-teams',
] as const;
