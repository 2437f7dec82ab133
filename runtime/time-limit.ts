/** Resolves as `work` does; rejects when that takes longer than `limitMs`. The work itself is not stopped. */
export async function withinMs<T>(
  limitMs: number,
  work: PromiseLike<T>,
  late: () => Error = () => new Error(`no answer within ${limitMs} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
