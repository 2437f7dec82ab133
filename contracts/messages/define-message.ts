import type { z } from 'zod';
import type { Issue } from '../errors/issues';
import type { SessionConfig } from '../sessions/config';
import type { Accepted } from './accepted';

/** A message to the workflow of a session, for all who have to do with it: REST, clients, terminal, MCP and the workflow. */
export interface MessageDefinition<
  Path extends string = string,
  OperationId extends string = string,
  Schema extends z.ZodObject | undefined = z.ZodObject | undefined,
> {
  /** How it is named in “The session can't be …”. */
  verb: string;
  /** What it carries; absent where its name says all. */
  schema?: Schema;
  /** Finds what is wrong between the members of its input. */
  issues?(input: z.infer<Schema>, config: SessionConfig): Issue[];
  /** Of its route, which is a POST. A parameter besides the `id` of the session is the member of the input of that name. */
  path: Path;
  /** Of its route and the method of the HTTP client. */
  operationId: OperationId;
  /** In the imperative, without a full stop. */
  summary: string;
  /** Sentences for the pages of REST, command line and MCP. */
  description: string;
  /** An input without what the path has. */
  example?: object;
  /** What the session does once it has applied it, behind “Session ID” in a terminal. */
  done(receipt: Accepted, input: z.infer<Schema>): string;
  /** The command that a person may want next, and what it does. */
  next?: { command: string; does: string };
  /** It may be meant twice: a second one that is the same is another one. */
  isCumulative?: true;
  /** It is about what goes on at this moment: one that Temporal has forgotten is not delivered again. */
  isMomentary?: true;
  /** The member whose value nobody may read: the message keeps it sealed, and the workflow gets the id of the message instead. */
  secretMember?: string;
  /** Nothing takes it back. */
  isFinal?: true;
}

export function defineMessage<
  const Path extends `/v1/${string}`,
  const OperationId extends string,
  Schema extends z.ZodObject | undefined = undefined,
>(definition: MessageDefinition<Path, OperationId, Schema>): MessageDefinition<Path, OperationId, Schema> {
  return definition;
}
