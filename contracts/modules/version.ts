import { z } from 'zod';

/** S1.64. */
export const VersionInfoSchema = z.strictObject({
  major: z.int().min(0),
  minor: z.int().min(0),
  patch: z.int().min(0),
  prerelease: z.string().optional(),
  build: z.string().optional(),
});
export type VersionInfo = z.infer<typeof VersionInfoSchema>;

/** S1.66. */
export const BreakingChangeSchema = z.strictObject({
  version: z.string(),
  description: z.string(),
  migrationGuide: z.string().optional(),
  affectedModules: z.array(z.string()),
});
export type BreakingChange = z.infer<typeof BreakingChangeSchema>;

/** S1.65: by module id, which of its versions this build works with. */
export const CompatibilityMatrixSchema = z.record(
  z.string(),
  z.strictObject({
    supportedVersions: z.array(z.string()),
    deprecatedVersions: z.array(z.string()),
    breakingChanges: z.array(BreakingChangeSchema),
  }),
);
export type CompatibilityMatrix = z.infer<typeof CompatibilityMatrixSchema>;

/** S1.67: the version of the system, in every envelope and event. */
export const SYSTEM_VERSION: VersionInfo = { major: 1, minor: 0, patch: 0 };

/** As semantic versioning writes it: `1.0.0`, `2.1.0-rc.1+build.7`. */
export function versionText({ major, minor, patch, prerelease, build }: VersionInfo): string {
  const extra = `${prerelease === undefined ? '' : `-${prerelease}`}${build === undefined ? '' : `+${build}`}`;
  return `${major}.${minor}.${patch}${extra}`;
}

/** `1.0.0`, as in API metadata (S1.A21). */
export const SYSTEM_VERSION_TEXT = versionText(SYSTEM_VERSION);
