import { condition, currentUpdateInfo, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Accepted } from '../../contracts/messages/accepted';
import { isCarried } from '../../contracts/messages/added-steps';
import { messageIssues } from '../../contracts/messages/message-issues';
import {
  CONTROL_MESSAGE_NAMES,
  hasInput,
  messageDefinition,
  type ControlMessageName,
} from '../../contracts/messages/messages';
import { engineActivities } from '../proxies/activity-proxies';
import type { SessionRun } from '../sessions/session-run';
import { ANSWER_HANDLERS } from './handlers/answers';
import { CONTROL_HANDLERS } from './handlers/control';
import type { MessageHandlers } from './message-handler';
import { accepted, checkOpen, orIgnored, refuse, refuseInput } from './refusals';

const HANDLERS: MessageHandlers<ControlMessageName> = { ...CONTROL_HANDLERS, ...ANSWER_HANDLERS };

/**
 * Installs an update and a signal of the same name for every message: the update for programs, which want a yes or a no,
 * the signal for Temporal's own tools, where one that makes no sense in the state of the session is ignored.
 */
export function handleMessages(run: SessionRun): void {
  for (const name of CONTROL_MESSAGE_NAMES) {
    const { verb } = messageDefinition(name);
    const { obstacle, apply } = HANDLERS[name] as MessageHandlers<'addSteps'>['addSteps'];
    const check = (input: never): void => {
      checkOpen(run, verb);
      const state = obstacle?.(run, input);
      if (state !== undefined) refuse(verb, state);
    };
    const change = async (input: never): Promise<void> => {
      // Two that arrive together may both have passed the validator.
      check(input);
      await apply(run, input);
    };
    handleUpdate(run, name, check, change);
    handleSignal(run, name, change);
  }
}

/** Handles an update by whose id the message is known: one that was applied before is answered and changes nothing. */
function handleUpdate(
  run: SessionRun,
  name: ControlMessageName,
  check: (input: never) => void,
  change: (input: never) => Promise<void>,
): void {
  const { session, messages, earlyMessages } = run;
  // Validators read the state and change nothing. A replay does not run them again.
  const validator = (input: unknown): void => {
    if (messages.has(currentUpdateInfo()!.id)) return;
    checkOpen(run, messageDefinition(name).verb);
    const issues = hasInput(name) && !isCarried(input) ? messageIssues(name, input, session.config) : [];
    if (issues.length > 0) refuseInput(issues);
    check(given(input));
  };
  const handler = async (input: unknown): Promise<Accepted> => {
    const { id: messageId } = currentUpdateInfo()!;
    if (messages.has(messageId)) return accepted(run);
    await change(given(input));
    const answer = accepted(run);
    messages.add(messageId);
    session.outbox.message({ messageId, answer });
    return answer;
  };
  setHandler(defineUpdate<Accepted, [unknown]>(name), handler, { validator, description: descriptionOf(name) });
  earlyMessages.handleWith(name, async (input) => {
    validator(input);
    return await handler(input);
  });
}

/**
 * Handles a signal. An activity validates its input: the result is in the history, so a replay does not validate with a
 * schema that may be newer.
 */
function handleSignal(run: SessionRun, name: ControlMessageName, change: (input: never) => Promise<void>): void {
  const { session } = run;
  const handler = (input: unknown): Promise<void> =>
    orIgnored(async () => {
      const { verb, secretMember } = messageDefinition(name);
      if (secretMember !== undefined) refuse(verb, `not given a ${secretMember} by a signal, which its history keeps`);
      if (hasInput(name)) {
        // A message may come before the session's row is there.
        await condition(() => session.id !== '' || session.isEnding);
        checkOpen(run, 'given this message');
        const { id: sessionId } = session;
        const issues = await engineActivities(`check ${name}`).checkMessage({ sessionId, kind: name, input });
        if (issues.length > 0) refuseInput(issues);
      }
      await change(given(input));
    });
  const description = `${descriptionOf(name)} As a signal it is ignored where it makes no sense.`;
  setHandler(defineSignal<[unknown]>(name), handler, { description });
}

/** What the Temporal UI says of it. */
function descriptionOf(name: ControlMessageName): string {
  const { summary, description } = messageDefinition(name);
  return `${summary}. ${description}`;
}

/** An input of which nothing is given may be left out. The schema has checked it, or it has none. */
function given(input: unknown): never {
  return (input ?? {}) as never;
}
