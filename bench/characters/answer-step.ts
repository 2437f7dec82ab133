import type { AIGeneratedCommand, BrowserAction } from '../../contracts/commands/commands';
import { DecisionAction } from '../../contracts/models/ai-response';
import type { PastCommand, PastIteration } from '../../contracts/model-port/port';
import { DECISION_WORDS, wordOf, type DecisionWord } from '../../activities/engine/models/replies/as-reply';
import type { Character } from './characters';
import { withManners } from './manners';
import { readNotes, writeNotes, type OwnNotes } from './notes';
import { readPage } from './read-page';
import { think, type Situation, type Thought } from './think';

interface StepPrompt {
  situation: Situation;
  next: { number: number; instruction: string } | undefined;
}

/** Answers a prompt about a step. `isRepair`: its answer before did not fit, and it takes more care. */
export function answerStep(character: Character, prompt: string, isRepair: boolean): string {
  if (isRepair && character.isChatty === true) {
    const { isChatty: _, ...careful } = character;
    return answerStep(careful, prompt, false);
  }
  const { situation, next } = readPrompt(prompt);
  let thought = consider(character, situation);
  let forStep: number | undefined;
  if (thought.kind === 'done' && next !== undefined && character.isBlunt !== true) {
    const begun = consider(character, { ...situation, instruction: next.instruction, past: [] });
    if (begun.kind === 'act') [thought, forStep] = [begun, next.number];
  }
  const text = JSON.stringify(replyOf(character, thought, forStep));
  return character.isChatty === true ? inProse(text, thought) : text;
}

function consider(character: Character, situation: Situation): Thought {
  const thought = think(situation);
  return thought.kind === 'act' ? withManners(character, thought, situation) : thought;
}

function replyOf({ alwaysProceeds, isBlunt }: Character, thought: Thought, forStep: number | undefined): object {
  const said =
    thought.kind === 'lost' ? thought.said : `${writeNotes(thought.notes)} ${isBlunt ? '' : thought.said}`.trim();
  const commands: AIGeneratedCommand[] = thought.kind === 'act' ? thought.commands : [];
  const isGivenUp = thought.kind === 'lost';
  return {
    reasoning: {
      analysis: isBlunt ? '' : said,
      rationale: isBlunt ? '' : 'It is what the step asks for.',
      expectedOutcome: isBlunt ? '' : 'The page shows it.',
      confidence: isGivenUp && alwaysProceeds ? 0.4 : 0.9,
    },
    decision: {
      action: wordOf(actionOf(thought, alwaysProceeds === true, isBlunt === true)),
      message: said,
      ...(isGivenUp && alwaysProceeds
        ? { resultValidation: { success: false, expectedElements: [], actualState: said, issues: [said] } }
        : {}),
    },
    commands,
    ...(forStep === undefined ? {} : { context: { forStep } }),
  };
}

function actionOf(thought: Thought, alwaysProceeds: boolean, isBlunt: boolean): DecisionAction {
  if (alwaysProceeds || thought.kind === 'done') return DecisionAction.PROCEED;
  if (thought.kind === 'lost') return DecisionAction.ABORT;
  return thought.isWhole && !isBlunt ? DecisionAction.PROCEED : DecisionAction.RETRY;
}

function inProse(json: string, { said }: Thought): string {
  const before = `Sure, let me look at this page. ${said.replaceAll(/[{}]/g, '')}\n\n`;
  const isFenced = said.length % 2 === 0;
  return `${before}${isFenced ? `\`\`\`json\n${json}\n\`\`\`` : json}\n\nLet me know if I should go on!`;
}

function readPrompt(text: string): StepPrompt {
  const within = (what: string) => new RegExp(`<${what} (\\w+)>\\n([\\s\\S]*?)\\n</${what} \\1>`).exec(text)?.[2] ?? '';
  const step = /^# Step \d+\n([\s\S]*?)\n(?:Variables: (.*)\n)?(?:Later steps|Today is)/m.exec(text);
  const next = /^# Next step, number (\d+)\n([\s\S]*?)\nIf the page shows/m.exec(text);
  return {
    situation: {
      instruction: step?.[1] ?? '',
      variables: (step?.[2] ?? '').match(/(?<=\$\{)\w+/g) ?? [],
      past: readAttempts(within('attempts')),
      page: readPage(within('page')),
      mayAct: !text.includes('No attempts are left'),
    },
    next: next === null ? undefined : { number: Number(next[1]), instruction: next[2]! },
  };
}

function readAttempts(text: string): PastIteration[] {
  const past: PastIteration[] = [];
  for (const line of text.split('\n')) {
    const [, word, message] = /^\d+\. You decided (\w+) \((.*?)\)(?:, expecting: .*)?$/.exec(line) ?? [];
    const outcome = readOutcome(line);
    if (word !== undefined) past.push(iteration(DECISION_WORDS[word as DecisionWord], message!, readNotes(message!)));
    else if (outcome !== undefined) past.at(-1)?.outcomes.push(outcome);
  }
  return past;
}

function iteration(action: DecisionAction, message: string, notes: OwnNotes): PastIteration {
  return {
    decision: { action, message },
    reasoning: { analysis: '', rationale: '', expectedOutcome: '', confidence: 1 },
    commands: [],
    context: { ...notes },
    outcomes: [],
  };
}

function readOutcome(line: string): PastCommand | undefined {
  const [, action, parameters, status, rest = ''] =
    /^ {3}- ([A-Z_]+) (\{.*?\})(?: \(in “.*?”\))?: (done|failed|skipped|unknown)(.*)$/.exec(line) ?? [];
  if (action === undefined) return undefined;
  const [, code = 'TL001', message = rest] = /^, ([A-Z]{2}\d{3}): (.*)$/.exec(rest) ?? [];
  const resolved = /it (HAPPENED|did NOT happen)/.exec(rest)?.[1];
  return {
    action: action as BrowserAction,
    parameters: JSON.parse(parameters!) as PastCommand['parameters'],
    status: status as PastCommand['status'],
    ...(status === 'failed' ? { error: { code, message } } : {}),
    ...(resolved === undefined ? {} : { resolution: { by: 'model', happened: resolved === 'HAPPENED' } }),
    ...(rest.startsWith(', because it ran before') ? { isRepeat: true } : {}),
  };
}
