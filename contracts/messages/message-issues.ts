import { issuesOf, type Issue } from '../errors/issues';
import type { SessionConfig } from '../sessions/config';
import { sizeProblem } from '../sessions/size-limits';
import { messageDefinition, type MessageWithInput } from './messages';

/** What is wrong with the input of a message to a session; empty for a valid one. */
export function messageIssues(name: MessageWithInput, input: unknown, config: SessionConfig): Issue[] {
  const { schema, issues } = messageDefinition(name);
  const problem = sizeProblem('The message', input);
  if (problem !== undefined) return [{ path: '', message: problem }];
  // A signal without an argument carries an input of which nothing is given.
  const parsed = schema!.safeParse(input ?? {});
  return parsed.success ? (issues?.(parsed.data, config) ?? []) : issuesOf(parsed.error);
}
