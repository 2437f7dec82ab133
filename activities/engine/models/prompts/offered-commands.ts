import { z } from 'zod';
import { isVerb } from '../../../../rules/language/words';
import type { OfferedCommand } from '../replies/reply-schema';
import { walkNodes } from '../../../../contracts/browsers/page-snapshot';
import { COMMANDS, STEP_ACTIONS, type StepAction } from '../../../../contracts/commands/commands';
import type { CommandEvidence } from '../../../../contracts/commands/evidence';
import type { DecisionRequest } from '../../../../contracts/model-port/port';

/** After so many attempts a step may need what it has no word for. */
const ATTEMPTS_BEFORE_ALL = 3;

/** Words by which a step is English: of steps in other languages the words of an offer say nothing. */
const ENGLISH =
  /\b(?:the|an?|and|to|in|into|on|of|for|with|click|open|type|enter|press|go|choose|select|check|save|fill|search|sign|log|add|expect|wait|read)\b/i;

function isEnglish(instruction: string): boolean {
  const [first = ''] = /[a-z]+/.exec(instruction.toLowerCase()) ?? [];
  return ENGLISH.test(instruction) || isVerb(first);
}

/** The commands that a step on this page may need; all that there are after an attempt that came to nothing or met a dialog. */
export function offeredCommands({ instruction, snapshot, pastIterations }: DecisionRequest): OfferedCommand[] {
  const outcomes = pastIterations.flatMap((iteration) => iteration.outcomes);
  const isStuck = outcomes.some(
    ({ status, evidence }) => status === 'failed' || status === 'skipped' || hasDialog(evidence),
  );
  if (isStuck || pastIterations.length > ATTEMPTS_BEFORE_ALL || !isEnglish(instruction))
    return STEP_ACTIONS.map((action) => ({ action, members: COMMANDS[action].stepParameters.shape }));
  const nodes = [...walkNodes(snapshot.nodes)].map(({ node }) => node);
  const roles = new Set(nodes.map(({ role }) => role));
  const states = nodes.flatMap(({ states: own = [], pressed }) => (pressed === undefined ? own : [...own, 'pressed']));
  return STEP_ACTIONS.filter((action) => {
    const { offered } = COMMANDS[action];
    return (
      offered === undefined ||
      offered.words?.test(instruction) === true ||
      offered.roles?.some((role) => roles.has(role)) === true ||
      states.some((state) => offered.states?.test(state)) ||
      (offered.withTabs === true && snapshot.tabs.length > 1)
    );
  }).map((action) => ({ action, members: plainMembers(action) }));
}

function plainMembers(action: StepAction): OfferedCommand['members'] {
  const { stepParameters, rare } = COMMANDS[action];
  return Object.fromEntries(Object.entries<z.ZodType>(stepParameters.shape).filter(([name]) => !rare.includes(name)));
}

function hasDialog(evidence: CommandEvidence | undefined): boolean {
  return evidence !== undefined && 'dialogs' in evidence && (evidence.dialogs ?? []).length > 0;
}

/** One line a command: its name, its members (`?` marks an optional one), and what it does. */
export function commandLines(commands: readonly OfferedCommand[]): string {
  return commands
    .map(({ action, members }) => {
      const names = Object.entries(members).map(([name, member]) => `${name}${isOptional(member) ? '?' : ''}`);
      return `- ${action} {${names.join(', ')}}: ${COMMANDS[action].prompt}`;
    })
    .join('\n');
}

function isOptional(member: z.ZodType): boolean {
  return member instanceof z.ZodOptional;
}
