import { ApplicationFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { AnswerNeeded } from '../../activities/signatures/browser-activities';
import type { LookInMailboxOutput } from '../../activities/signatures/mailbox-activities';
import {
  answerSecretCommand,
  describeAskedSecret,
  questionIdOf,
  type AskedSecret,
  type CarriedAnswer,
} from '../../contracts/approvals/asked-secret';
import type { WaitingFor } from '../../contracts/approvals/waiting-for';
import { StreamEventType } from '../../contracts/events/stream-event';
import { durationText } from '../../contracts/sessions/schedule-duration';
import { mailboxName } from '../../contracts/sessions/mailbox';
import { questionOf, type SecretQuestion } from '../../contracts/sessions/secrets';
import { SessionStatus } from '../../contracts/sessions/session';
import type { SessionBrowser } from '../browsers/session-browser';
import { mailboxActivities } from '../proxies/activity-proxies';
import { errorOf } from '../proxies/failures';
import type { AppliedMessages } from '../state/applied-messages';
import type { RunningSession } from '../state/session-state';

type WaitState = { kind: 'none' | 'expired' } | { kind: 'waiting'; secret: AskedSecret } | AnsweredState;
interface AnsweredState {
  kind: 'answered';
  messageId: string;
  isFromMailbox: boolean;
}

/** The wait for the value of a secret that a person alone has. The value itself never comes here: a message keeps it. */
export class AskedSecretWait {
  private state: WaitState = { kind: 'none' };
  /** What is wrong with the mailbox of the question. */
  private trouble = '';

  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
    private readonly messages: AppliedMessages,
  ) {}

  /** What a person is asked for now. */
  get secret(): AskedSecret | undefined {
    return this.state.kind === 'waiting' ? this.state.secret : undefined;
  }

  /** Takes the answer. The caller has checked that it is the one that is waited for. */
  answer({ messageId, isFromMailbox }: CarriedAnswer): void {
    this.state = { kind: 'answered', messageId, isFromMailbox: isFromMailbox === true };
  }

  /** Returns when the answer is where browser workers find it; throws where nobody gives one in time. */
  async ask({ alias, commandId }: AnswerNeeded, stepIndex: number): Promise<void> {
    const { session } = this;
    const plan = session.start.plan.secrets![alias]!;
    const question = questionOf(plan)!;
    const secret = this.toAsked(alias, commandId, question, plan.origins);
    this.state = { kind: 'waiting', secret };
    session.clock.stop();
    this.trouble = '';
    let end: WaitState = { kind: 'none' };
    try {
      await this.publish(secret);
      end = await this.ended(secret, question);
    } finally {
      this.finish(end, alias, question);
    }
    if (end.kind === 'expired') throw this.expiry(alias, question, stepIndex);
    // Writes that the message is applied: from then on its value can be read.
    await session.publish('go on with the answer');
  }

  private toAsked(
    alias: string,
    commandId: string,
    { ask, as, withinMs, mailbox }: SecretQuestion,
    origins: string[],
  ): AskedSecret {
    const expiresAt = new Date(Date.now() + withinMs).toISOString();
    const looks = mailbox === undefined ? {} : { mailbox: mailboxName(mailbox) };
    return { questionId: questionIdOf(commandId, alias), alias, ask, as, origins, expiresAt, ...looks };
  }

  private async publish(secret: AskedSecret): Promise<void> {
    const { session } = this;
    const message = describeAskedSecret(secret);
    const command = answerSecretCommand(session.id);
    const waitingFor: WaitingFor = { pausedFor: 'secret', secret };
    session.details.setQuestion('secret', [message, `Answer with \`${command}\``]);
    session.record('step-processor', StreamEventType.WORKFLOW_PAUSED, {
      message: `${message} Answer with: ${command}`,
      details: waitingFor,
    });
    session.outbox.patchRow({ waitingFor });
    session.setStatus(SessionStatus.PAUSED);
    await session.publish(`ask a person for ${secret.alias}`);
  }

  /** Nobody is asked any more, also where the session or its task was cancelled meanwhile. */
  private finish(end: WaitState, alias: string, question: SecretQuestion): void {
    const { session } = this;
    this.state = { kind: 'none' };
    session.details.setQuestion('secret');
    session.outbox.patchRow({ waitingFor: null });
    if (session.isCancelled) return;
    session.clock.start();
    const message = endOf(end, alias, question);
    session.record('step-processor', StreamEventType.WORKFLOW_RESUMED, { message });
    session.setStatus(SessionStatus.ACTIVE);
  }

  /** Resolves to how the wait has ended, by itself or with an answer. */
  private async ended(secret: AskedSecret, { withinMs, mailbox }: SecretQuestion): Promise<WaitState> {
    const limit = new CancellationScope({ cancellable: true });
    const expire = async (): Promise<void> => {
      await sleep(withinMs, { summary: 'nobody has answered' });
      if (this.state.kind === 'waiting') this.state = { kind: 'expired' };
    };
    limit.run(expire).catch(() => {});
    if (mailbox !== undefined) limit.run(() => this.look(secret)).catch(() => {});
    // The handler of an answer may not have noted its message yet.
    const isOver = (): boolean =>
      this.state.kind === 'expired' || (this.state.kind === 'answered' && this.messages.has(this.state.messageId));
    try {
      await this.browser.waitWhile(() => !isOver());
      return this.state;
    } finally {
      limit.cancel();
    }
  }

  /** Has the mailbox looked into until it has the answer. What keeps it from that is reported once, and a person can still answer. */
  private async look({ alias, questionId }: AskedSecret): Promise<void> {
    const { session } = this;
    const askedAt = new Date().toISOString();
    const reported: string[] = [];
    for (;;) {
      const input = { sessionId: session.id, alias, questionId, askedAt, reported };
      const { trouble } = await mailboxActivities(`look for ${alias} in the mailbox`)
        .lookInMailbox(input)
        .catch((error: unknown): LookInMailboxOutput => {
          if (isCancellation(error)) throw error;
          return { trouble: { kind: 'failed', isFinal: true, message: errorOf(error, 'CM002').message } };
        });
      if (trouble === undefined || this.state.kind !== 'waiting') return;
      this.trouble = ` ${trouble.message}`;
      session.warn({ code: 'SM002', message: `${trouble.message} A person can answer.` });
      await session.publish(`report the mailbox of ${alias}`);
      if (trouble.isFinal) return;
      reported.push(trouble.kind);
    }
  }

  private expiry(alias: string, { ask, withinMs }: SecretQuestion, stepIndex: number): ApplicationFailure {
    const message = `Nobody has answered within ${durationText(withinMs)} what was asked for \${${alias}}: ${ask}${this.trouble}`;
    const error = this.session.error('EX003', message, {
      stepIndex,
      suggestedAction: 'Start the session when somebody can answer, or give the person longer (within).',
    });
    const record = { ...error, retryable: false };
    return ApplicationFailure.create({ message, type: error.code, nonRetryable: true, details: [record] });
  }
}

function endOf(end: WaitState, alias: string, { withinMs, mailbox }: SecretQuestion): string {
  if (end.kind === 'answered' && end.isFromMailbox && mailbox !== undefined)
    return `What was asked for \${${alias}} has come to ${mailboxName(mailbox)}.`;
  if (end.kind === 'answered') return `A person has answered what was asked for \${${alias}}.`;
  if (end.kind === 'expired') return `Nobody has answered within ${durationText(withinMs)}.`;
  return 'No answer is needed any more.';
}
