import type { CompatibilityMatrix } from './version';
import { SYSTEM_VERSION_TEXT } from './version';

/** Which versions of the modules this build works with. A module that is not named must be of the same major version. */
export const COMPATIBILITY_MATRIX: CompatibilityMatrix = {
  'frontend-api': { supportedVersions: ['1.x'], deprecatedVersions: [], breakingChanges: [] },
  'step-processor': { supportedVersions: ['1.x'], deprecatedVersions: [], breakingChanges: [] },
  executor: { supportedVersions: ['1.x'], deprecatedVersions: [], breakingChanges: [] },
};

/** A version of a module, with what it knows of the others'. */
export interface Party {
  /** As people know it: `frontend-api 1.0.0`, or a stored session. */
  name: string;
  moduleId: string;
  version: string;
  /** Empty for what is only stored: it can't speak for itself. */
  supports: CompatibilityMatrix;
}

export type Compatibility =
  { kind: 'compatible' } | { kind: 'deprecated'; message: string } | { kind: 'incompatible'; message: string };

/** Whether two may work together. The newer one decides, because the older can't know of it. */
export function compatibilityOf(one: Party, other: Party): Compatibility {
  const [older, newer] = compareVersions(one.version, other.version) <= 0 ? [one, other] : [other, one];
  const known = newer.supports[older.moduleId];
  const pair = `${newer.name} (${newer.version}) and ${older.name} (${older.version})`;
  if (known?.deprecatedVersions.some((pattern) => matches(older.version, pattern)))
    return { kind: 'deprecated', message: `${pair} still work together, but ${older.version} is deprecated.` };
  const isSupported =
    known === undefined
      ? majorOf(older.version) === majorOf(newer.version)
      : known.supportedVersions.some((pattern) => matches(older.version, pattern));
  if (isSupported) return { kind: 'compatible' };
  const changes = (known?.breakingChanges ?? [])
    .filter(({ version }) => compareVersions(version, older.version) > 0)
    .map(({ version, description, migrationGuide }) =>
      [` ${version}: ${description}`, ...(migrationGuide === undefined ? [] : [`See ${migrationGuide}.`])].join(' '),
    );
  return { kind: 'incompatible', message: `${pair} can not work together.${changes.join('')}` };
}

/** This build's own side of the comparison. */
export function partyOf(moduleId: string, version: string = SYSTEM_VERSION_TEXT): Party {
  return { name: moduleId, moduleId, version, supports: COMPATIBILITY_MATRIX };
}

/** A stored session is the work of the step processor that made it. */
export function storedSession(name: string, version: string): Party {
  return { name, moduleId: 'step-processor', version, supports: {} };
}

/** `1.x`, `1.2.x` or a whole version. */
function matches(version: string, pattern: string): boolean {
  const wanted = pattern.split('.');
  const [core = ''] = version.split(/[-+]/);
  if (!pattern.endsWith('.x')) return version === pattern;
  return wanted.slice(0, -1).every((part, index) => core.split('.')[index] === part);
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}

/** By numbers; a prerelease comes before its release. Below zero when `one` is the older. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => {
    const [core = '', prerelease] = version.split('+')[0]!.split(/-(.*)/s);
    return { numbers: core.split('.').map(Number), prerelease };
  }) as [{ numbers: number[]; prerelease?: string }, { numbers: number[]; prerelease?: string }];
  for (let index = 0; index < 3; index += 1) {
    const difference = (first.numbers[index] ?? 0) - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (first.prerelease === second.prerelease) return 0;
  if (first.prerelease === undefined) return 1;
  if (second.prerelease === undefined) return -1;
  return first.prerelease < second.prerelease ? -1 : 1;
}
