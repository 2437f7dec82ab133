import type { Sql } from '../database/connect';
import { withRefusals } from '../database/refusals';
import type { Guard } from '../events/event-log';
import { isSealed, SEALED, type Sealer } from '../database/sealer';
import { checkpointPlace } from './checkpoint-place';

/** The state of a Chrome that another one needs to replace it. It holds whatever pages store: never log it. */
export interface Checkpoint {
  /** In Playwright's format. */
  cookies: Record<string, unknown>[];
  origins: OriginState[];
  tabs: TabState[];
  /** With their private keys; absent where the session never had one. */
  passkeys?: Passkey[] | undefined;
  /** What could not be saved, as sentences. */
  omitted: string[];
  /** Fingerprint of the front page when its Chrome was released; the restored page is compared with it. */
  fingerprint?: string | undefined;
}

/** As Chrome's virtual authenticator has it. */
export interface Passkey {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
  largeBlob?: string;
  backupEligibility?: boolean;
  backupState?: boolean;
  userName?: string;
  userDisplayName?: string;
}

export interface OriginState {
  origin: string;
  local: [string, string][];
  databases: DatabaseState[];
}

export interface TabState {
  targetId: string;
  url: string;
  isFront: boolean;
  /** By origin: a tab keeps what it stored where it was before. */
  session: { origin: string; entries: [string, string][] }[];
  scroll: { x: number; y: number };
  fields: FieldState[];
  secretFields?: SecretFieldState[] | undefined;
  /** Number of fields with a secret that no variable has. */
  unkeptFields?: number | undefined;
}

/** One form control whose content is not what the page came with; found again as the nth of its kind and names. */
export interface FieldState {
  key: string;
  nth: number;
  value: string | boolean | string[];
}

/** One that held the value of a secret variable: kept by the variable's name, never by what it held. */
export interface SecretFieldState {
  key: string;
  nth: number;
  variable: string;
}

export interface DatabaseState {
  name: string;
  version: number;
  stores: {
    name: string;
    keyPath: string | string[] | null;
    autoIncrement: boolean;
    indexes: { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean }[];
    /** JSON alone; a key is a number, a text, or a list of them. */
    records: { key: unknown; value: unknown }[];
  }[];
  /** Records that JSON can't hold, or too many. */
  skipped: number;
}

export interface StoredCheckpoint {
  /** The Chrome that is in this state: another one has yet to be given it. */
  browserId: string;
  checkpoint: Checkpoint;
}

/** The newest checkpoint of each session; sealed where the session has a profile, or secrets, which its pages may have stored. */
export interface Checkpoints {
  /** Throws StoreRefusal when the session belongs to another run or has a newer lease: then nothing is written. */
  save(sessionId: string, guard: Required<Pick<Guard, 'runId' | 'epoch'>>, kept: StoredCheckpoint): Promise<void>;
  get(sessionId: string): Promise<StoredCheckpoint | null>;
}

/** A checkpoint that was sealed with another key; the session's secrets report the same. */
const UNREADABLE: Checkpoint = {
  cookies: [],
  origins: [],
  tabs: [],
  omitted: ['all of it was sealed with another key; give all processes the same SUREFOOT_SECRET_KEY'],
};

export function createCheckpoints(sql: Sql, sealer: Sealer): Checkpoints {
  return {
    async save(sessionId, guard, { browserId, checkpoint }) {
      const text = JSON.stringify(checkpoint);
      const [session] = await sql<{ hasSecrets: boolean; profileKey: string | null }[]>`
        select profile_key, exists (select from secrets where session_id = ${sessionId})
          -- A fork begins with what the pages of another session have stored.
          or exists (select from checkpoints where session_id = ${sessionId} and starts_with(checkpoint, ${SEALED}))
          as has_secrets
        from sessions where session_id = ${sessionId}`;
      const { hasSecrets = false, profileKey = null } = session ?? {};
      const isSecret = hasSecrets || profileKey !== null;
      const shown = isSecret ? sealer.seal(text, checkpointPlace(sessionId, profileKey)) : text;
      await withRefusals(sql`
        insert into checkpoints (session_id, browser_id, epoch, checkpoint)
        select session_id, ${browserId}, epoch, ${shown} from guarded_session(${sessionId}, ${sql.json({ ...guard })})
        on conflict (session_id) do update set
          browser_id = excluded.browser_id, epoch = excluded.epoch, checkpoint = excluded.checkpoint,
          at = clock_timestamp()`);
    },
    async get(sessionId) {
      const [row] = await sql<
        { browserId: string; checkpoint: string; profileKey: string | null }[]
      >`select browser_id, checkpoint, profile_key from checkpoints join sessions using (session_id)
        where session_id = ${sessionId}`;
      if (row === undefined) return null;
      const stored = row.checkpoint;
      const text = isSealed(stored) ? sealer.open(stored, checkpointPlace(sessionId, row.profileKey)) : stored;
      const checkpoint: Checkpoint = text === null ? UNREADABLE : (JSON.parse(text) as Checkpoint);
      return { browserId: row.browserId, checkpoint };
    },
  };
}
