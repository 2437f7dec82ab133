/** S1.64, without the optional members that nothing sets yet. */
export interface VersionInfo {
  major: number;
  minor: number;
  patch: number;
}

/** S1.67: the version of the system, in every envelope. */
export const SYSTEM_VERSION: VersionInfo = { major: 1, minor: 0, patch: 0 };

/** `1.0.0`, as in API metadata (S1.A21). */
export const SYSTEM_VERSION_TEXT = `${SYSTEM_VERSION.major}.${SYSTEM_VERSION.minor}.${SYSTEM_VERSION.patch}`;
