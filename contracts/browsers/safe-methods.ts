const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether requests with this method change nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}
