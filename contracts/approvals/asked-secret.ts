import { z } from 'zod';

/** What comes back: a code that is typed, or a link that is opened. */
export const AskedAsSchema = z.enum(['code', 'link']);
export type AskedAs = z.infer<typeof AskedAsSchema>;

/** The value of a secret that a person is asked for now. */
export const AskedSecretSchema = z.object({
  questionId: z.string(),
  alias: z.string(),
  ask: z.string().meta({ description: 'What is asked for, in the words of the request' }),
  as: AskedAsSchema,
  origins: z.array(z.string()).meta({ description: 'Where the code is typed, or whose address the link is' }),
  expiresAt: z.string().meta({ description: 'ISO-8601' }),
  mailbox: z
    .string()
    .optional()
    .meta({ description: 'The mailbox in which the engine looks for the answer meanwhile' }),
});
export type AskedSecret = z.infer<typeof AskedSecretSchema>;

/** A session waits because a command needs what a person alone has. */
export const WaitingForSecretSchema = z.object({ pausedFor: z.literal('secret'), secret: AskedSecretSchema });

const MAX_LENGTH = 4096;

export const AnswerSecretRequestSchema = z.strictObject({
  questionId: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The question that it answers; where it is left out, the one that is asked now' }),
  value: z.string().trim().min(1).max(MAX_LENGTH).meta({ description: 'The code, or the address of the link' }),
});
export type AnswerSecretRequest = z.infer<typeof AnswerSecretRequestSchema>;

/** The answer as the workflow gets it, without the value: the message has that, sealed. */
export interface CarriedAnswer {
  messageId: string;
  questionId: string;
  /** It was found in the mailbox of the secret. */
  isFromMailbox?: true | undefined;
}

export function questionIdOf(commandId: string, alias: string): string {
  return `${commandId}.${alias}`;
}

/** What is asked, in a sentence for the person who answers. */
export function describeAskedSecret({ alias, ask, as, origins, expiresAt, mailbox }: AskedSecret): string {
  const use = as === 'link' ? `It has to be an address of` : 'It is only typed at';
  const looks = mailbox === undefined ? '' : ` The engine looks for it in ${mailbox} too.`;
  return `Asked for \${${alias}}, until ${expiresAt}: ${ask} ${use} ${origins.join(', ')}.${looks}`;
}

/** The command that answers: it asks for the value, which nobody else sees. */
export function answerSecretCommand(sessionId: string): string {
  return `surefoot answer ${sessionId}`;
}
