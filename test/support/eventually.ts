/** Asks until it is so; fails with what was asked for when the deadline passes. The only way a test waits. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 60_000,
): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const waited = Date.now() - begun;
    if (waited > limitMs) throw new Error(`Not within ${limitMs} ms: ${what}`);
    // What takes long is asked for less often: asking costs the processes that are waited for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(200, 20 + waited / 25)));
  }
}
