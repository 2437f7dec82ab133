/**
 * The place that a sealed checkpoint is bound to: its session, or the profile of its session, whose next version it may
 * become. `profileKey` is that column of the session's row.
 */
export function checkpointPlace(sessionId: string, profileKey: string | null): string {
  return profileKey === null ? `checkpoint ${sessionId}` : profilePlace(profileKey);
}

/** `profileKey` names tenant and profile. */
export function profilePlace(profileKey: string): string {
  return `profile ${profileKey}`;
}
