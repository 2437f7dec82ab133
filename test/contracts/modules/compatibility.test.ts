import fc from 'fast-check';
import {
  COMPATIBILITY_MATRIX,
  compareVersions,
  compatibilityOf,
  partyOf,
  storedSession,
  type Party,
} from '../../../contracts/modules/compatibility';
import { CompatibilityMatrixSchema, versionText, type CompatibilityMatrix } from '../../../contracts/modules/version';

const supporting = (entry: Partial<CompatibilityMatrix[string]>): CompatibilityMatrix => ({
  executor: { supportedVersions: [], deprecatedVersions: [], breakingChanges: [], ...entry },
});
const executor = (version: string): Party => partyOf('executor', version);
const api = (version: string, supports: CompatibilityMatrix): Party => ({
  name: 'frontend-api',
  moduleId: 'frontend-api',
  version,
  supports,
});

test('this build works with its own version, and its matrix is one', () => {
  for (const moduleId of Object.keys(COMPATIBILITY_MATRIX))
    expect(compatibilityOf(partyOf(moduleId), partyOf('frontend-api'))).toEqual({ kind: 'compatible' });
  expect(compatibilityOf(partyOf('step-processor'), storedSession('a session', '1.0.0'))).toEqual({
    kind: 'compatible',
  });
  expect(CompatibilityMatrixSchema.safeParse(COMPATIBILITY_MATRIX).success).toBe(true);
});

test.each([
  ['1.0.0', ['1.0.0'], 'compatible'],
  ['1.0.1', ['1.0.0'], 'incompatible'],
  ['1.4.2', ['1.x'], 'compatible'],
  ['1.4.2', ['1.4.x'], 'compatible'],
  ['1.5.0', ['1.4.x'], 'incompatible'],
  ['1.4.2-rc.1', ['1.4.x'], 'compatible'],
  ['10.0.0', ['1.x'], 'incompatible'],
])('an executor %s beside a newer API that supports %j is %s', (version, supportedVersions, kind) => {
  expect(compatibilityOf(executor(version), api('11.0.0', supporting({ supportedVersions }))).kind).toBe(kind);
});

test('a deprecated version keeps working, with a message', () => {
  const verdict = compatibilityOf(executor('1.0.0'), api('2.0.0', supporting({ deprecatedVersions: ['1.x'] })));
  expect(verdict).toEqual({
    kind: 'deprecated',
    message: 'frontend-api (2.0.0) and executor (1.0.0) still work together, but 1.0.0 is deprecated.',
  });
});

test('a refusal names both sides and what has changed in between, with the guide', () => {
  const breakingChanges = [
    { version: '1.0.0', description: 'Leases.', affectedModules: ['executor'] },
    { version: '2.0.0', description: 'Commands are signed.', migrationGuide: 'docs/to-2.md', affectedModules: [] },
  ];
  const verdict = compatibilityOf(api('2.0.0', supporting({ breakingChanges })), executor('1.2.0'));
  expect(verdict).toEqual({
    kind: 'incompatible',
    message:
      'frontend-api (2.0.0) and executor (1.2.0) can not work together. 2.0.0: Commands are signed. See docs/to-2.md.',
  });
});

test('a stored session of a newer major version is not for an older worker', () => {
  expect(compatibilityOf(partyOf('step-processor', '1.9.0'), storedSession('a session', '2.0.0')).kind).toBe(
    'incompatible',
  );
});

const version = fc
  .tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.constantFrom(undefined, 'alpha', 'rc.1'))
  .map(([major, minor, patch, prerelease]) => versionText({ major, minor, patch, prerelease }));

test('versions have one order, whatever is compared with what', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
      expect(compareVersions(a, b) === 0).toBe(a === b);
      const isChain = compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0;
      expect(!isChain || compareVersions(a, c) <= 0).toBe(true);
    }),
  );
});

test('it is the same which of two asks whether they fit', () => {
  fc.assert(
    fc.property(version, version, (one, other) => {
      const [first, second] = [executor(one), partyOf('frontend-api', other)];
      if (one === other) return;
      expect(compatibilityOf(first, second).kind).toBe(compatibilityOf(second, first).kind);
    }),
  );
});

test.each([
  [{ major: 1, minor: 0, patch: 0 }, '1.0.0'],
  [{ major: 2, minor: 1, patch: 3, prerelease: 'rc.1' }, '2.1.3-rc.1'],
  [{ major: 2, minor: 1, patch: 3, build: '7' }, '2.1.3+7'],
  [{ major: 2, minor: 1, patch: 3, prerelease: 'rc.1', build: '7' }, '2.1.3-rc.1+7'],
])('[S1.A21] %j is written as %s', (parts, text) => {
  expect(versionText(parts)).toBe(text);
});
