import { createHash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Namespace of the ids that are made from names (RFC 9562, version 5). */
const NAMESPACE = Buffer.from('6f3a0c5e5f1d4a8e9b8a2f6d1c7e4b90', 'hex');

function uuidFromName(name: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A session's id is its workflow's id; a workflow that was started under a plain name gets the UUIDv5 of that name. */
export function sessionIdOf(workflowId: string): string {
  return UUID.test(workflowId) ? workflowId.toLowerCase() : uuidFromName(`workflow:${workflowId}`);
}

/** The same key gives the same session, also when our tables are lost: the workflow id holds it. */
export function sessionIdFromKey(tenant: string, idempotencyKey: string): string {
  return uuidFromName(`key:${tenant}:${idempotencyKey}`);
}

/** The same key gives the same batch. */
export function batchIdFromKey(tenant: string, idempotencyKey: string): string {
  return uuidFromName(`batch:${tenant}:${idempotencyKey}`);
}

/** The same key gives the same message of a session. */
export function messageIdFromKey(sessionId: string, idempotencyKey: string): string {
  return uuidFromName(`message:${sessionId}:${idempotencyKey}`);
}

/** The idempotency key of a command: the same whenever and by whomever it is asked for. */
export function keyOfCommand(sessionId: string, commandId: string): string {
  return uuidFromName(`command:${sessionId}:${commandId}`);
}

/** The session of a module (S1.4.2) for a workflow session: derived, so that it is stored nowhere. */
export function moduleSessionIdOf(sessionId: string, moduleId: string): string {
  return uuidFromName(`module:${sessionId}:${moduleId}`);
}
