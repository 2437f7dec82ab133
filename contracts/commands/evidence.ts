import { z } from 'zod';
import { KeeperEvidenceSchema } from '../browsers/keeper';

/** One request of the page that may have changed something: not a GET, or a navigation of a main frame. It is noted when it begins. */
const ObservedRequestSchema = z.object({
  method: z.string(),
  url: z.string(),
  /** Absent while no answer has come; `failure` says why there will be none. */
  status: z.number().optional(),
  failure: z.string().optional(),
  /** Nothing of the page waits for its answer: a beacon, a ping, a report to the site. */
  isPing: z.literal(true).optional(),
});
export type ObservedRequest = z.infer<typeof ObservedRequestSchema>;

/** What the worker observed of the pages while a command ran. */
const PageEvidenceSchema = z.object({
  requests: z.array(ObservedRequestSchema),
  dialogs: z.array(
    z.object({
      type: z.string(),
      message: z.string(),
      accepted: z.boolean(),
      /** A question (`confirm`, `prompt`) that no answer was given for, so it was dismissed. */
      isUnanswered: z.literal(true).optional(),
    }),
  ),
  consoleErrors: z.array(z.string()),
  navigations: z.array(z.string()),
  /** What else the page did, which no other member has: what it asked for, messages that it sent. */
  effects: z.array(z.string()).optional(),
});
export type PageEvidence = z.infer<typeof PageEvidenceSchema>;

/** A file that a page gave while a command ran: stored, or why it was not. */
const ObservedDownloadSchema = z.object({
  name: z.string(),
  fileId: z.string().optional(),
  bytes: z.number().optional(),
  failure: z.string().optional(),
});
export type ObservedDownload = z.infer<typeof ObservedDownloadSchema>;

const Addresses = z.object({ urlBefore: z.string(), urlAfter: z.string() });
/**
 * What had the effect of the command is gone: the browser ended, and the next one may not have it; or the document was
 * loaded anew by itself.
 */
const lostWith = z.enum(['browser', 'document']);
export type LostWith = z.infer<typeof lostWith>;

/** Where the command led and the session may not go: that page did not load. */
const blockedNavigation = z.string().optional();

/** The evidence of one command, beside its outcome: the journal stores it, and the model reads it. */
export const CommandEvidenceSchema = z.discriminatedUnion('kind', [
  /** A commit has been executed; its outcome is still to be recorded. */
  z.object({ kind: z.literal('executed') }),
  /** A worker saw the command end. */
  z.object({
    kind: z.literal('observed'),
    ...Addresses.shape,
    ...PageEvidenceSchema.shape,
    downloads: z.array(ObservedDownloadSchema).optional(),
    blockedNavigation,
    lostWith: lostWith.optional(),
  }),
  /** No worker saw the commit end: what its document and the keeper know. */
  z.object({
    kind: z.literal('unobserved'),
    ...Addresses.shape,
    eventDelivered: z.boolean(),
    isDocumentGone: z.boolean(),
    blockedNavigation,
    ...KeeperEvidenceSchema.shape,
  }),
  /** The browser ended while the command was under way; of a commit with what its keeper knows. */
  z.object({
    kind: z.literal('interrupted'),
    ...Addresses.shape,
    lostWith,
    ...KeeperEvidenceSchema.partial().shape,
  }),
  /** The database was put back to an earlier time and had forgotten the command: what its witnesses know. */
  z.object({
    kind: z.literal('forgotten'),
    ...Addresses.shape,
    /** In sentences. */
    witnesses: z.string(),
    ...KeeperEvidenceSchema.partial().shape,
  }),
]);
export type CommandEvidence = z.infer<typeof CommandEvidenceSchema>;

/** The address that a command led to and that was blocked; undefined where there was none. */
export function blockedNavigationOf(evidence: CommandEvidence | undefined): string | undefined {
  return evidence !== undefined && 'blockedNavigation' in evidence ? evidence.blockedNavigation : undefined;
}

/** True when the browser or document that the command changed is gone. */
export function isEffectLost(evidence: CommandEvidence | undefined): boolean {
  return evidence !== undefined && 'lostWith' in evidence && evidence.lostWith !== undefined;
}

/** The evidence of a command that is done, once the browser that it changed is gone. */
export function asLostWithBrowser(evidence: CommandEvidence | undefined): CommandEvidence | undefined {
  return evidence?.kind === 'observed' ? { ...evidence, lostWith: 'browser' } : evidence;
}

/** The requests that may have changed something; empty where the Chrome was not watched. */
export function requestsIn(evidence: CommandEvidence | undefined): readonly ObservedRequest[] {
  return evidence === undefined || evidence.kind === 'executed' ? [] : (evidence.requests ?? []);
}

/** By these a proxy, also our own, says that it got no answer: the server behind it may have carried the request out. */
const UNANSWERED_BEHIND_A_PROXY: readonly number[] = [502, 504];

/** Whether a server has refused a request, so that it changed nothing. */
export function isRefused({ status = 0 }: ObservedRequest): boolean {
  return status >= 400 && !UNANSWERED_BEHIND_A_PROXY.includes(status);
}

/** With which status the site has answered the page that the command led to; undefined where it led to none. */
export function pageStatus(evidence: CommandEvidence | undefined): number | undefined {
  return requestsIn(evidence).findLast(({ method }) => method === 'GET')?.status;
}

/** The files that a command brought, in words; each ends with a full stop. */
export function downloadSentences(downloads: readonly ObservedDownload[]): string[] {
  return downloads.map(({ name, fileId, bytes, failure }) =>
    failure === undefined
      ? `“${name}” was downloaded, ${bytes} bytes, and stored as file ${fileId}.`
      : `“${name}” was not downloaded: ${failure}`,
  );
}
