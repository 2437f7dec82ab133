import type { Connection } from '@temporalio/client';

/** Temporal's numbers for the types of search attributes (temporal.api.enums.v1.IndexedValueType). */
const KEYWORD = 2;
const INT = 3;

const ATTRIBUTES = { SurefootStatus: KEYWORD, SurefootStep: INT, SurefootModel: KEYWORD };

/**
 * Adds our search attributes to the server where they are missing. Resolves to false where that is not allowed: sessions
 * then run without them, because an upsert of an unknown one would fail the workflow task for ever.
 */
export async function ensureSearchAttributes(connection: Connection, namespace: string): Promise<boolean> {
  try {
    const answer = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = Object.entries(ATTRIBUTES).filter(([name]) => !(name in (answer.customAttributes ?? {})));
    if (missing.length === 0) return true;
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) });
    return true;
  } catch {
    return false;
  }
}
