import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { mailPort, mailSecurity, mailboxName, type MailboxPlan } from '../../../contracts/sessions/mailbox';
import { errorMessage } from '../../../contracts/errors/error-message';
import { readMarkup, readPlainText, type MailText } from './mail-text';

const CONNECT_MS = 10_000;
const SILENCE_MS = 12_000;
const DAY_MS = 86_400_000;
/** Newer ones than these are looked at with the next look. */
const MOST_MAILS = 20;
const LARGEST_BYTES = 1_000_000;

export interface Mail {
  /** The same for as long as the server keeps the mail. */
  id: string;
  texts: MailText[];
}

/** `final`: it stays so until a person changes something. */
export interface MailboxTrouble {
  kind: string;
  message: string;
  isFinal: boolean;
}

export class MailboxError extends Error {
  constructor(readonly trouble: MailboxTrouble) {
    super(trouble.message);
  }
}

/** Reads the mails that came since then from the sender, newest first. The mailbox is left as it was. */
export async function readMails(
  mailbox: MailboxPlan,
  { password, since, signal }: { password: string; since: Date; signal: AbortSignal },
): Promise<Mail[]> {
  // Loaded when a session asks a mailbox.
  const imap = await import('imapflow');
  const security = mailSecurity(mailbox);
  const client = new imap.ImapFlow({
    host: mailbox.host,
    port: mailPort(mailbox),
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    auth: { user: mailbox.user, pass: password },
    logger: false,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  });
  client.on('error', () => {});
  const stop = (): void => client.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    return await mailsSince(client, mailbox, since);
  } catch (error) {
    throw error instanceof MailboxError ? error : new MailboxError(troubleOf(error, mailbox, password));
  } finally {
    signal.removeEventListener('abort', stop);
    client.close();
  }
}

async function mailsSince(client: ImapFlow, mailbox: MailboxPlan, since: Date): Promise<Mail[]> {
  const { folder = 'INBOX' } = mailbox;
  const opened = await client.mailboxOpen(folder, { readOnly: true }).catch((error: { responseStatus?: string }) => {
    if (error.responseStatus === undefined || error.responseStatus === 'BYE') throw error;
    const message = `There is no folder ${folder} in ${mailboxName(mailbox)}.`;
    throw new MailboxError({ kind: 'no-folder', isFinal: true, message });
  });
  // IMAP searches by the day, in the server's zone.
  const day = new Date(since.getTime() - DAY_MS);
  const uids = (await client.search({ since: day, from: mailbox.from.replace(/^@/, '') }, { uid: true })) || [];
  const newest = uids.slice(-MOST_MAILS);
  if (newest.length === 0) return [];
  const facts = await client.fetchAll(newest, { envelope: true, internalDate: true, size: true }, { uid: true });
  const meant = facts.filter((mail) => isMeant(mail, mailbox, since)).sort((one, other) => other.uid - one.uid);
  const mails: Mail[] = [];
  for (const { uid } of meant) {
    const mail = await client.fetchOne(uid, { source: { maxLength: LARGEST_BYTES } }, { uid: true });
    if (mail === false || mail.source === undefined) continue;
    mails.push({ id: `${opened.uidValidity}:${uid}`, texts: await textsOf(mail.source) });
  }
  return mails;
}

function isMeant({ envelope, internalDate }: FetchMessageObject, { from, subject }: MailboxPlan, since: Date): boolean {
  const sender = from.toLowerCase();
  const isFrom = (envelope?.from ?? []).some(({ address = '' }) => {
    const given = address.toLowerCase();
    return sender.startsWith('@') ? given.endsWith(sender) : given === sender;
  });
  const isAbout = subject === undefined || (envelope?.subject ?? '').toLowerCase().includes(subject.toLowerCase());
  return isFrom && isAbout && internalDate !== undefined && new Date(internalDate) >= since;
}

/** The subject counts as a line. Markup is read first: the text beside it may be a remark for old programs. */
async function textsOf(source: Buffer): Promise<MailText[]> {
  const { default: PostalMime } = await import('postal-mime');
  const { subject = '', html, text } = await PostalMime.parse(source);
  return [
    ...(html === undefined ? [] : [readMarkup(html)]),
    ...(text === undefined ? [] : [readPlainText(text)]),
    { lines: [subject], links: [] },
  ];
}

function troubleOf(error: unknown, mailbox: MailboxPlan, password: string): MailboxTrouble {
  const name = mailboxName(mailbox);
  const { authenticationFailed, responseText, code } = error as Partial<Record<string, unknown>>;
  const said =
    typeof responseText === 'string' ? ` It said: ${responseText.replaceAll(password, '…').slice(0, 200)}` : '';
  if (authenticationFailed === true)
    return {
      kind: 'refused',
      isFinal: true,
      message: `The server of ${name} has refused the user or the password.${said}`,
    };
  const reason = typeof code === 'string' ? code : errorMessage(error).slice(0, 200);
  return { kind: 'unreachable', isFinal: false, message: `The server of ${name} can't be reached now (${reason}).` };
}
