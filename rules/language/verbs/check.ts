import type { VerbGroup } from '../verb-group';
import { parseDescription } from '../description';
import { listOf } from '../lists';

const CHECK = /^(check|tick|enable|uncheck|untick|disable|deselect|unselect)(?:\s+off)?\s+(.+)$/i;
const TURN = /^(?:turn|switch|toggle)\s+(?:(on|off)\s+(.+)|(.+)\s+(on|off))$/i;
const PLACE = /(\s+(?:in|of|for|under|on|from|within)\s+.+)$/i;
/** "check that" is an expectation, "check in Ann" and "check out" concern no checkbox. */
const NOT_A_BOX = /^(?:that|whether|if|for|in|out)\b|\s(?:back\s+)?(?:in|out)$/i;

/** Parses "check X", "uncheck X" and "turn X on". */
export const check: VerbGroup = {
  starts:
    /^(?:check|tick|enable|uncheck|untick|disable|deselect|unselect)\s+(?!out\b)\S|^(?:turn|switch|toggle)\s+(?:(?:on|off)\s+\S|.+\s(?:on|off)$)/i,
  parse(text, spans) {
    const [, verb, what] = CHECK.exec(text) ?? [];
    if (verb !== undefined && what !== undefined && !NOT_A_BOX.test(what)) {
      const list = listOf(what);
      // The place at the end of a list is that of all its boxes.
      const shared = PLACE.exec(list?.at(-1) ?? '')?.[1] ?? '';
      const parts = list?.map((part) => parseDescription(PLACE.test(part) ? part : part + shared, spans));
      const checked = /^(?:check|tick|enable)$/i.test(verb);
      return { kind: 'check', target: parseDescription(what, spans), checked, ...(parts && { parts }) };
    }
    const turn = TURN.exec(text);
    const target = turn?.[2] ?? turn?.[3];
    const state = turn?.[1] ?? turn?.[4];
    if (target === undefined || state === undefined) return undefined;
    return { kind: 'check', target: parseDescription(target, spans), checked: /^on$/i.test(state) };
  },
};
