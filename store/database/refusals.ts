import postgres from 'postgres';

/** Why the store would not write: each is final for this writer and no fault of the database. */
export type RefusalReason =
  | 'unknown-session'
  | 'closed'
  | 'superseded'
  | 'stale-epoch'
  | 'stale-attempt'
  | 'paused'
  | 'illegal-status'
  | 'behind'
  | 'key-held';

const REASONS: Record<string, RefusalReason> = {
  SF404: 'unknown-session',
  /** A foreign key: the row of the session is gone. */
  '23503': 'unknown-session',
  SF001: 'closed',
  SF002: 'superseded',
  SF003: 'stale-epoch',
  SF004: 'paused',
  SF005: 'illegal-status',
  /** The database was put back to an earlier time: it has forgotten what the writer knows. */
  SF006: 'behind',
  /** What a command is to do once is done, or another session is about to do it. */
  SF007: 'key-held',
};

export class StoreRefusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    message: string,
    /** What the database adds to the message, as text. */
    readonly detail = '',
  ) {
    super(message);
    this.name = 'StoreRefusal';
  }
}

/** Turns the SQLSTATEs of our functions into StoreRefusal; everything else stays what it is. */
export async function withRefusals<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    const reason = REASONS[error.code];
    if (reason === undefined) throw error;
    throw new StoreRefusal(reason, error.message, error.detail);
  }
}
