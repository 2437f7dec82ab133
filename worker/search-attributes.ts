import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/sessions/search-attributes';

/** Temporal's numbers for the types of search attributes (temporal.api.enums.v1.IndexedValueType). */
const TYPES = { KEYWORD: 2, INT: 3, DOUBLE: 4 };

/**
 * Adds our search attributes to the server where they are missing. Resolves to false where that is not allowed: sessions
 * then run without them, because an upsert of an unknown one would fail the workflow task for ever.
 */
export async function ensureSearchAttributes(connection: Connection, namespace: string): Promise<boolean> {
  try {
    const answer = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = Object.entries(SEARCH_ATTRIBUTES)
      .filter(([name]) => !(name in (answer.customAttributes ?? {})))
      .map(([name, type]) => [name, TYPES[type]]);
    if (missing.length === 0) return true;
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) });
    return true;
  } catch {
    return false;
  }
}
