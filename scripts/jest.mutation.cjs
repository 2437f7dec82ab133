// Jest's configuration for `npm run mutate:contracts`: the tests of the contracts, which need nothing but Node.
const [unit] = require('./jest.config.cjs').projects;

module.exports = {
  ...unit,
  displayName: undefined,
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  testMatch: ['<rootDir>/test/contracts/**/*.test.ts', '<rootDir>/test/conformance/**/*.test.ts'],
};
