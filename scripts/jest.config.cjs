// `unit` needs nothing but Node and what build.js makes; `integration` runs on a real Temporal server, Postgres and Chromium that
// test/support/global-setup.ts brings up once for the whole run; `e2e` runs the whole product. `npm test` has the first two
// without their tables, and the short ones of the third; `npm run test:all` has all three. `scenarios` are the long ones, in which hosts, workers,
// databases and clocks fail: `npm run chaos:scenarios` runs them, and the long form of the few that the suite runs shortened.
const path = require('node:path');
const { $schema: _, ...swc } = require('./swc.json');

const rootDir = path.dirname(__dirname);
const common = {
  rootDir,
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  testEnvironment: 'node',
  runtime: '<rootDir>/test/support/jest-runtime.js',
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // An import at run time names the compiled file; tests run the source.
  moduleNameMapper: { '/edit-issues\\.js$': '<rootDir>/service/sessions/edit-issues.ts' },
};

const integration = [
  '<rootDir>/test/activities/{browsers,commands,pages,secrets}/**/*.test.ts',
  '<rootDir>/test/activities/engine/**/*.test.ts',
  '<rootDir>/test/activities/models/rules/**/*.test.ts',
  '<rootDir>/test/api/**/*.test.ts',
  '<rootDir>/test/client/**/*.test.ts',
  '!**/test/client/agent/{*,tools/*,conversation/*}.test.ts',
  '<rootDir>/test/cli/**/*.test.ts',
  '<rootDir>/test/keeper/**/*.test.ts',
  '<rootDir>/test/local/**/*.test.ts',
  '<rootDir>/test/replay/**/*.test.ts',
  '<rootDir>/test/store/**/*.test.ts',
  '<rootDir>/test/web/**/*.test.ts',
  '<rootDir>/test/workflows/**/*.test.ts',
];
const unit = [
  '<rootDir>/test/bench/**/*.test.ts',
  '<rootDir>/test/architecture/**/*.test.ts',
  '<rootDir>/test/conformance/**/*.test.ts',
  '<rootDir>/test/contracts/**/*.test.ts',
  '<rootDir>/test/client/agent/{*,tools/*,conversation/*}.test.ts',
  '<rootDir>/test/activities/*.test.ts',
  '<rootDir>/test/activities/deeds/*.test.ts',
  '<rootDir>/test/activities/models/**/*.test.ts',
  '!**/test/activities/models/rules/**',
  '<rootDir>/test/activities/page-text/*.test.ts',
  '<rootDir>/test/activities/recipes/*.test.ts',
  '<rootDir>/test/activities/results/*.test.ts',
  '<rootDir>/test/activities/tasks/*.test.ts',
  '<rootDir>/test/activities/tools/*.test.ts',
  '<rootDir>/test/examples/**/*.test.ts',
  '<rootDir>/test/runtime/**/*.test.ts',
  '<rootDir>/test/scripts/**/*.test.ts',
];

/** Many pages or sentences through the same code, of which the files beside them have a few: a fifth of the time. */
const tables = [
  'activities/commands/{tool-scenarios,hands,typing,choosing,dead-clicks}',
  'activities/models/rules/everyday/*',
  'activities/pages/{mutated-shop,names/*}',
  'client/agent/sessions/long-chat',
].map((name) => `!**/test/${name}.test.ts`);

const e2e = ['<rootDir>/test/e2e/**/*.test.ts'];
/** A demo from its start to its end, and one whose processes are killed. */
const shortE2e = ['demo', 'kill'].map((name) => `<rootDir>/test/e2e/${name}.test.ts`);
/** Tables of which the suite runs a part. */
const shortened = [
  'activities/commands/{hands,tool-scenarios,dead-clicks}',
  'activities/models/rules/everyday/everyday',
  'activities/pages/{mutated-shop,approvals/harmless-page}',
  'architecture/worked-examples',
  'cli/usage',
  'e2e/{characters,profiles}',
  'keeper/cdp/approved-deed',
];
/** Servers, workers and databases that fail in ways of their own: minutes each. */
const failing = [
  'activities/commands/rolled-back-store',
  'e2e/{chaos,conditional-recipes,frozen-services,frozen-workers,long-session,recipe-poisoning,reset}',
  'e2e/{real-model,relay-browsers,rolled-back-postgres,rolled-back-temporal}',
  'keeper/deeds/killed-keeper',
];
const pathOf = (name) => `<rootDir>/test/${name}.test.ts`;
const scenarios = [pathOf('scenarios/**/*'), ...failing.map(pathOf), ...shortened.map(pathOf)];
/** Threads of tests run what is compiled. */
const build = { globalSetup: '<rootDir>/test/support/build.ts' };
const servers = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

const projects = {
  unit: { ...common, ...build, displayName: 'unit', testMatch: unit },
  integration: { ...common, ...servers, displayName: 'integration', testMatch: integration },
  e2e: { ...common, ...servers, displayName: 'e2e', testMatch: e2e },
  scenarios: { ...common, ...servers, displayName: 'scenarios', testMatch: scenarios },
};
const withoutFailing = (project) => ({
  ...project,
  testMatch: [...project.testMatch, ...failing.map((name) => `!**/test/${name}.test.ts`)],
});
const runs = {
  all: [projects.unit, withoutFailing(projects.integration), withoutFailing(projects.e2e)],
  short: [
    projects.unit,
    withoutFailing({ ...projects.integration, testMatch: [...integration, ...tables] }),
    { ...projects.e2e, testMatch: shortE2e },
  ],
  scenarios: [projects.scenarios],
};

const run = process.env['SUREFOOT_TESTS'] ?? 'all';
if (!(run in runs)) throw new Error(`SUREFOOT_TESTS: expected ${Object.keys(runs).join(', ')}, got “${run}”.`);

module.exports = {
  rootDir,
  // For two cores: a fourth makes the suite no faster, and each of its tests half as slow again. Parts wait more than stacks do.
  maxWorkers: run === 'short' ? 5 : 3,
  testTimeout: 180_000,
  testSequencer: '<rootDir>/test/support/interleave.js',
  projects: runs[run],
};
