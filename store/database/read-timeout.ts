/** An answer that has not come by then never comes: its connection was lost without anybody noticing. */
const READ_TIMEOUT_MS = 10_000;

/**
 * Bounds a read. A reader that waits for ever for one lost answer would miss everything that comes after it; this one
 * is told that the connection is gone, and asks again.
 */
export async function withReadTimeout<T>(query: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const lost = Object.assign(new Error(`The database has not answered within ${READ_TIMEOUT_MS / 1000} s.`), {
      code: 'CONNECTION_CLOSED',
    });
    timer = setTimeout(() => reject(lost), READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([query, limit]);
  } finally {
    clearTimeout(timer);
  }
}
