import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The SQL files of each migration, run in the order of the names. A migration that was released is never changed. Functions
 * and triggers are no part of it: after each upgrade all of them are created anew from functions/ and triggers.sql, so each
 * is written once. A release that changes one adds a migration, which may be empty.
 */
export const MIGRATIONS: Readonly<Record<string, readonly string[]>> = {
  '0001-baseline': [
    'tables/sessions.sql',
    'tables/events.sql',
    'tables/journal.sql',
    'tables/browsers.sql',
    'tables/models.sql',
    'tables/relay.sql',
  ],
  '0002-uploads': ['tables/uploads.sql'],
  '0003-results': ['tables/results.sql'],
  '0004-recipes': ['tables/recipes.sql'],
  '0005-step-checkpoints': ['tables/step-checkpoints.sql'],
  '0006-webhooks': ['tables/webhooks.sql'],
  '0007-stalls': ['tables/stalls.sql'],
  '0008-live-frames': ['tables/live-frames.sql'],
  '0009-effects': ['tables/effects.sql'],
  '0010-takeovers': ['tables/takeovers.sql'],
  '0011-profiles': ['tables/profiles.sql'],
  '0012-takeover-acts-waiting': ['tables/takeover-acts-waiting.sql'],
  '0013-caller-keys': ['tables/caller-keys.sql'],
  '0014-one-time-codes': ['tables/one-time-codes.sql'],
  '0015-batches': ['tables/batches.sql'],
  '0016-operations': ['tables/operations.sql'],
  '0017-act-sightings': ['tables/act-sightings.sql'],
  '0018-asked-secrets': ['tables/asked-secrets.sql'],
  '0019-secret-references': ['tables/secret-references.sql'],
  '0020-browser-use': ['tables/browser-use.sql'],
  '0021-recordings': ['tables/recorded-frames.sql'],
  '0022-page-asks': ['tables/page-asks.sql'],
  '0023-batch-row-ends': ['tables/batch-row-ends.sql'],
  '0024-batch-origins': ['tables/batch-origins.sql'],
  '0025-page-waits': ['tables/page-waits.sql'],
  '0026-taken-mails': ['tables/taken-mails.sql'],
  '0027-secret-leases': ['tables/secret-leases.sql'],
  '0028-failure-mails': ['tables/failure-mails.sql'],
  '0029-unanswered-behind-a-proxy': [],
  '0030-batch-reports': ['tables/batch-reports.sql'],
  '0031-plan-versions': ['tables/plan-versions.sql'],
  '0032-notes-index': ['tables/notes-index.sql'],
  '0033-effect-of-a-repeated-intent': [],
};

/** Reads a SQL file of this folder; the build copies them beside the compiled code. */
export function readSchemaFile(path: string): string {
  return readFileSync(join(__dirname, path), 'utf8');
}

/** The files that every upgrade runs again; triggers last, because they name functions. */
export function repeatableFiles(): string[] {
  const functions = readdirSync(join(__dirname, 'functions')).sort();
  return [...functions.map((name) => `functions/${name}`), 'triggers.sql'];
}
