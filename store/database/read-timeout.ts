/** An answer that takes longer never comes: its connection was lost unnoticed. */
const READ_TIMEOUT_MS = 10_000;

/**
 * Bounds a read: it rejects as if the connection had closed when no answer comes in time. A reader that waited for a lost
 * answer would miss everything after it.
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
