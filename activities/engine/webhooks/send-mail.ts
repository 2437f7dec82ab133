import { createTransport } from 'nodemailer';
import { errorMessage } from '../../../contracts/errors/error-message';
import { domainOf } from '../../../contracts/sessions/failure-report';
import { oneLine } from '../../../contracts/text';
import type { Settings } from '../../../runtime/settings/settings';
import type { SendEnd } from './send-end';

/** Of each answer of the server, and of the whole attempt. */
const ANSWER_MS = 10_000;
const LIMIT_MS = 20_000;
const MAX_REASON = 500;
/** Replies of 5xx are final (RFC 5321) where they are about the mail; what is about the server, its operator may correct. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];

export interface Mail {
  /** The same in every attempt. */
  id: string;
  to: string;
  at: Date;
  subject: string;
  text: string;
}

/** Hands a mail to the operator's server. No reason has its password. */
export async function sendMail({ server, from }: Settings['mail'], mail: Mail, signal: AbortSignal): Promise<SendEnd> {
  if (server === undefined || from === undefined)
    return { kind: 'missed', reason: 'the engine worker has no SUREFOOT_SMTP_URL and SUREFOOT_MAIL_FROM' };
  const url = new URL(server);
  const password = decodeURIComponent(url.password);
  const missed = (reason: string): SendEnd => ({
    kind: 'missed',
    reason: `${url.host}: ${oneLine(password === '' ? reason : reason.replaceAll(password, '…'), MAX_REASON)}`,
  });
  try {
    const transport = createTransport(optionsOf(url, password));
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    await within(
      limit,
      transport.sendMail({
        from: { name: 'Surefoot', address: from },
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        date: mail.at,
        messageId: `<${mail.id.replace(/[^\w.-]/g, '-')}${domainOf(from)}>`,
        // Keeps answering machines quiet (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      }),
    );
    return { kind: 'taken' };
  } catch (error) {
    // A worker that is ending makes no statement about the server.
    signal.throwIfAborted();
    const { code = '', responseCode = 0 } = error as { code?: string; responseCode?: number };
    const end = missed(errorMessage(error));
    return responseCode >= 500 && ABOUT_THE_MAIL.includes(code) ? ({ ...end, kind: 'refused' } as SendEnd) : end;
  }
}

function optionsOf({ protocol, hostname, port, username }: URL, password: string) {
  const isSecure = protocol === 'smtps:';
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // A password goes to another host encrypted alone.
    requireTLS: !isSecure && !isHere && password !== '',
    // A certificate for this machine is its own.
    ...(isHere ? { tls: { rejectUnauthorized: false } } : {}),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: password } }),
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Rejects at the limit, whatever becomes of the work. */
function within<T>(limit: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    limit.addEventListener('abort', () => reject(limit.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
