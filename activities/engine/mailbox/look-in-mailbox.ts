import { mailboxName, type MailboxPlan } from '../../../contracts/sessions/mailbox';
import { questionOf } from '../../../contracts/sessions/secrets';
import { errorMessage } from '../../../contracts/errors/error-message';
import type { ValueSource } from '../../../store/sessions/secrets';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import { EngineError, lookedInVain } from '../../activity/failures';
import { createActivities } from '../../activity/define-activities';
import type { AdoptRun } from '../../activity/adopt-run';
import type { LookInMailboxInput, LookInMailboxOutput, MailboxActivities } from '../../signatures/mailbox-activities';
import { findAnswers } from './find-answer';
import { MailboxError, readMails, type MailboxTrouble } from './read-mails';

/** Sites send a mail when the page of the code opens, which is before the question. */
const LEAD_MS = 120_000;
/** A mail server writes whole seconds by its own clock. */
const CLOCKS_MS = 5000;
const SHORTEST_MS = 2000;
const LONGEST_MS = 60_000;
const SHARE_OF_WAIT = 0.1;

export interface MailboxDeps {
  store: Store;
  env: NodeJS.ProcessEnv;
  readReference: (reference: string) => Promise<string>;
  /** Gives the session an answer, once however often it is called for a question. */
  answerSecret: (sessionId: string, answer: { questionId: string; value: string }) => Promise<void>;
}

export function createMailboxActivities(deps: MailboxDeps, adoptRun?: AdoptRun): MailboxActivities {
  const table = { lookInMailbox: ['CM002', 'step-processor', lookInMailbox] } as const;
  return createActivities<MailboxDeps, MailboxActivities>(deps, table, adoptRun);
}

/**
 * Looks once for the answer of a question, and gives it to the session. Where there is none yet, it fails so that Temporal
 * tries again, which leaves nothing in the history. What is wrong and was not reported yet comes back.
 */
async function lookInMailbox(
  deps: MailboxDeps,
  { sessionId, alias, questionId, askedAt, reported }: LookInMailboxInput,
  { scheduledAt, signal }: Pick<ActivityCall, 'scheduledAt' | 'signal'>,
): Promise<LookInMailboxOutput> {
  const trouble = await look(deps, { sessionId, alias, questionId, askedAt: Date.parse(askedAt) }, signal);
  if (trouble === undefined) return {};
  if (trouble.kind !== 'nothing' && !reported.includes(trouble.kind)) return { trouble };
  const waitedMs = scheduledAt - Date.parse(askedAt);
  throw lookedInVain(trouble.message, Math.min(LONGEST_MS, Math.max(SHORTEST_MS, waitedMs * SHARE_OF_WAIT)));
}

async function look(
  deps: MailboxDeps,
  { sessionId, alias, questionId, askedAt }: { sessionId: string; alias: string; questionId: string; askedAt: number },
  signal: AbortSignal,
): Promise<MailboxTrouble | undefined> {
  const { store } = deps;
  const [row, rows] = await Promise.all([store.sessions.get(sessionId), store.secrets.ofSession(sessionId)]);
  const plan = row?.plan.secrets?.[alias];
  const question = plan && questionOf(plan);
  const mailbox = question?.mailbox;
  if (row === null || plan === undefined || mailbox === undefined) return undefined;
  const since = new Date(Math.max(row.createdAt.getTime(), askedAt - LEAD_MS) - CLOCKS_MS);
  const source = rows.find((each) => each.alias === alias)?.password;
  try {
    const password = await passwordOf(deps, mailbox, source);
    let nothing = `No mail of ${mailbox.from} has come yet.`;
    for (const mail of await readMails(mailbox, { password, since, signal })) {
      const { origins } = plan;
      const found = findAnswers(mail.texts, { as: question!.as, origins, near: mailbox.near });
      if (found.length > 1) return ambiguous(mailbox, question!.as, found.length);
      const [value] = found;
      if (value === undefined) {
        nothing = `The mails of ${mailbox.from} have no ${question!.as} for ${origins.join(', ')}.`;
        continue;
      }
      const taken = { questionId, mailbox: identityOf(mailbox), mail: mail.id };
      if (!(await store.secrets.takeMail(sessionId, taken))) continue;
      await deps.answerSecret(sessionId, { questionId, value });
      return undefined;
    }
    return { kind: 'nothing', message: nothing, isFinal: false };
  } catch (error) {
    if (error instanceof MailboxError) return error.trouble;
    throw error;
  }
}

function identityOf({ user, host, port = 0, folder = 'INBOX' }: MailboxPlan): string {
  return JSON.stringify([host.toLowerCase(), port, user, folder]);
}

function ambiguous(mailbox: MailboxPlan, as: string, count: number): MailboxTrouble {
  const message = `The newest mail of ${mailbox.from} in ${mailboxName(mailbox)} has ${count} that may be the ${as}, so a person answers, or \`near\` of the mailbox says which.`;
  return { kind: 'several', isFinal: false, message };
}

async function passwordOf(
  { env, readReference }: MailboxDeps,
  mailbox: MailboxPlan,
  source: ValueSource | undefined,
): Promise<string> {
  const missing = (reason: string, isFinal = true) =>
    new MailboxError({
      kind: 'no-password',
      isFinal,
      message: `There is no password for ${mailboxName(mailbox)}: ${reason}`,
    });
  if (source?.kind === 'value') return source.value;
  if (source?.kind === 'env')
    return env[source.env] ?? throwError(missing(`the variable ${source.env} is not set at the engine worker.`));
  if (source?.kind !== 'reference') throw missing(source?.reason ?? 'the store does not hold it.');
  try {
    return await readReference(source.reference);
  } catch (error) {
    throw missing(errorMessage(error), error instanceof EngineError && error.more.isFinal === true);
  }
}

function throwError(error: Error): never {
  throw error;
}
