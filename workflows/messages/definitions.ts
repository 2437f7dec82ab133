import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { RecoverSessionInput } from '../../activities/signatures/recovery-activities';
import type { Accepted } from '../../contracts/messages/accepted';
import type { ClientCallStatus } from '../../contracts/tools/client-call-status';
import { RECOVERY_QUERY, VERIFY_STORE_SIGNAL } from '../../contracts/queues';
import { PROGRESS_QUERY, type SessionProgress } from '../../contracts/sessions/progress';

// What people and programs say to a session is a table: contracts/messages. These are the queries, and what processes of
// the engine say.

/** Sent by the caller's process alone, which must know that the session has received it. */
export const noteCallUpdate = defineUpdate<Accepted, [ClientCallStatus]>('noteCall');

/** By the engine workers, whenever the server of the database has started: the session compares what it knows with it. */
export const verifyStoreSignal = defineSignal(VERIFY_STORE_SIGNAL);

/** The state of the session as the workflow has it. Readers normally use the store, which answers when no worker does. */
export const stateQuery = defineQuery<Accepted>('state');

export const progressQuery = defineQuery<SessionProgress>(PROGRESS_QUERY);

export const recoveryQuery = defineQuery<RecoverSessionInput>(RECOVERY_QUERY);

/** Failure type of an update that makes no sense in the state of the session. */
export const WRONG_STATE = 'WrongState';
