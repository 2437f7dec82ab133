import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { PlannedCommand, Target } from '../../../contracts/commands/planned-command';
import type { AIResponse } from '../../../contracts/models/ai-response';
import type { DecisionResult } from '../../../contracts/model-port/port';
import type { Sighting } from '../../../contracts/recipes/sighting';
import { durableTarget, refIn, selectorText } from '../../../rules/page-text/durable-target';
import { placeWordsOfRef } from '../../../rules/page-text/place-words';
import type { TurnKey } from '../../../store/models/messages';
import type { ReplyRow } from '../../../store/models/step-memory';
import { turnId } from '../models/replies/reply-records';

/** Resolves refs to durable selectors with the snapshot that they come from: the stored reply outlives the snapshot. */
export function toReplyRow(
  place: TurnKey,
  { usage, model }: DecisionResult,
  reply: AIResponse,
  snapshot: PageSnapshot,
  sighting: Sighting | undefined,
): ReplyRow {
  // The ids of commands are the same however often this reply is run.
  const planned = reply.commands.map((command, position) =>
    toPlanned(command, `${turnId(place)}.${position}`, snapshot),
  );
  const commands = reply.commands.map((command, position) => {
    const { selector, toSelector } = planned[position]!.parameters;
    const durable = {
      ...(selector === undefined ? {} : { selector }),
      ...(toSelector === undefined ? {} : { toSelector }),
    };
    return { ...command, parameters: { ...command.parameters, ...durable } };
  });
  return { turn: place.turn, reply: { ...reply, commands }, model, usage, commands: planned, sighting };
}

function toPlanned(command: AIResponse['commands'][number], commandId: string, snapshot: PageSnapshot): PlannedCommand {
  const { action, parameters } = command;
  const target = targetIn(parameters.selector, snapshot);
  const toTarget = targetIn(parameters.toSelector, snapshot);
  return {
    commandId,
    action,
    parameters: {
      ...parameters,
      ...(target === undefined ? {} : { selector: selectorText(target) }),
      ...(toTarget === undefined ? {} : { toSelector: selectorText(toTarget) }),
    },
    ...(target === undefined ? {} : { target }),
    ...withinIn(parameters.selector, target, snapshot),
    ...(toTarget === undefined ? {} : { toTarget }),
  };
}

/** For the history of the step: where equal elements are on the page, the selector alone says little. */
function withinIn(
  selector: string | undefined,
  target: Target | undefined,
  snapshot: PageSnapshot,
): Pick<PlannedCommand, 'within'> {
  const ref = selector === undefined ? undefined : refIn(selector);
  const within = ref === undefined || target === undefined ? undefined : placeWordsOfRef(snapshot, ref);
  return within === undefined ? {} : { within };
}

function targetIn(selector: string | undefined, snapshot: PageSnapshot): Target | undefined {
  const ref = selector === undefined ? undefined : refIn(selector);
  return ref === undefined ? undefined : durableTarget(snapshot, ref);
}
