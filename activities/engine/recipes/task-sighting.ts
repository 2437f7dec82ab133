import { z } from 'zod';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { SightedCommand, TaskSighting } from '../../../contracts/recipes/sighting';
import type { CalledFunction } from '../../../contracts/model-port/language-model';
import { refIn } from '../../../rules/page-text/durable-target';
import { findRecipeTarget } from './find-target';
import { targetOfRef } from './marks';
import { readingOf } from './reading';
import { seenOf } from './sighting';
import type { Values } from './spelling';

/** The arguments of a browser tool that name elements by the refs of one snapshot. */
export const REF_ARGUMENTS = { target: 'ref', toTarget: 'to_ref' } as const;

/** What is kept of a reply of a task. */
export interface SaidInTask {
  calls: readonly Pick<CalledFunction, 'args'>[];
  says?: string | undefined;
}

/** What a reply of a task saw of the page that it was given for, with the marks of the elements that its calls name. */
export function taskSighting(snapshot: PageSnapshot, { calls, says }: SaidInTask, values: Values): TaskSighting {
  return {
    ...seenOf(snapshot, ''),
    commands: calls.map((call) => sightedCall(snapshot, argumentsOf(call))),
    reads: readingOf(snapshot, values),
    ...(says === undefined || says === '' ? {} : { says }),
  };
}

function sightedCall(snapshot: PageSnapshot, args: Record<string, unknown>): SightedCommand {
  const sighted: SightedCommand = {};
  for (const [member, argument] of Object.entries(REF_ARGUMENTS) as [keyof typeof REF_ARGUMENTS, string][]) {
    const given = args[argument];
    const ref = typeof given === 'string' ? refIn(given) : undefined;
    const target = ref === undefined ? undefined : targetOfRef(snapshot, ref)?.target;
    if (target === undefined) continue;
    sighted[member] = target;
    if (findRecipeTarget(snapshot, target).kind !== 'found') sighted.isAmbiguous = true;
  }
  return sighted;
}

const ArgumentsSchema = z.record(z.string(), z.unknown());

/** The arguments of a call; none where its text is no JSON object, with which nothing is run. */
export function argumentsOf({ args }: Pick<CalledFunction, 'args'>): Record<string, unknown> {
  try {
    return ArgumentsSchema.safeParse(JSON.parse(args)).data ?? {};
  } catch {
    return {};
  }
}
