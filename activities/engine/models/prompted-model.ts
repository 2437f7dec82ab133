import { checkReply, lenientReply, parseReply, type ParsedReply } from './replies/parse-reply';
import type { FunctionTool, Generation, LanguageModel } from '../../../contracts/model-port/language-model';
import type {
  CallOptions,
  Model,
  DecisionResult,
  DecisionRequest,
  TurnOptions,
} from '../../../contracts/model-port/port';
import type { ModelProfile } from '../../../contracts/models/reading';
import { NO_USAGE, callWithRoom, inputOf } from './calls/language-call';
import { pageWithin } from './calls/context-window';
import { assessWith } from './prompted-assessment';
import { decideDeed } from './prompted-deed';
import { isToBeJudged, judgeWith } from './prompted-judgement';
import { readWith } from './prompted-reading';
import { turnByDeed } from './prompted-turn';
import { decisionPrompt, FULL_BUDGET, SMALL_BUDGET, type Prompt } from './prompts/decision';
import { isSaidByDeed } from './prompts/next-deed';
import { repairMessages } from './prompts/repair';
import { misfitError, misfitReply } from './replies/misfit';
import { SUMMARY_PROMPT } from './prompts/summary';
import { ProviderError } from './providers/provider-error';
import { stepFault } from './begun-step';
import { answerAs, WHOLE_REPLY, type ReplyForm } from './replies/reply-schema';
import { writtenCalls } from './replies/written-calls';

/**
 * Most tokens of an answer of a small model, which may go on without end: a reply has some hundreds. One that is cut off is
 * asked for once more with more room.
 */
const SMALL_ANSWER = { reading: 300, reply: 800 } as const;

/** How often a reply that does not fit is asked for again. */
const MOST_REPAIRS = 2;

/**
 * Makes a Model of a vendor's language model. A request that is too long is sent once more with less of the page. A reply
 * that does not fit goes back with its faults, twice at most; what does not fit then is an attempt of the step that failed. A
 * small model makes one decision at a time: it judges a step in a short call of its own, and begins no other.
 */
export function createPromptedModel(language: LanguageModel, form: ReplyForm, profile: ModelProfile = 'full'): Model {
  const ask = replyCaller(language, form);
  const within = <O extends TurnOptions>(options: O, kind: keyof typeof SMALL_ANSWER): O => {
    const maxTokens = Math.min(options.ai.maxTokens, profile === 'small' ? SMALL_ANSWER[kind] : Infinity);
    return { ...options, ai: { ...options.ai, maxTokens } };
  };
  const read: Model['read'] = (request, options, refused) =>
    readWith(language, form, request, within(options, 'reading'), refused);
  return {
    read,
    assess: (request, options) => assessWith(language, form, request, options),
    saysDeeds: profile === 'small',
    async turn(request, options) {
      const { system, messages, tools, view, led } = request;
      const deed =
        led === undefined
          ? undefined
          : await turnByDeed(language, form, read, { ...request, led }, within(options, 'reply'));
      if (deed !== undefined) return deed;
      const answer = { kind: 'tools', tools, view } as const;
      const generation = await callWithRoom(language, answer, { system, messages }, within(options, 'reply'));
      return { ...withWrittenCalls(generation, tools), usage: generation.usage ?? NO_USAGE, model: language.name };
    },
    async summarize(transcript, options) {
      const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: transcript }] }];
      const prompt = { system: SUMMARY_PROMPT, messages };
      return (await callWithRoom(language, { kind: 'text' }, prompt, options)).text;
    },
    async decide(given, asked) {
      const options = within(asked, 'reply');
      const judged =
        profile === 'small' && isToBeJudged(given) ? await judgeWith(language, form, given, options) : undefined;
      if (judged?.reply !== undefined) {
        const { reply, usage, sizes } = judged;
        return { reply, usage, model: language.name, promptSizes: sizes };
      }
      const request = profile === 'small' ? { ...given, nextStep: undefined, judgedAgainst: judged?.problem } : given;
      if (profile === 'small' && isSaidByDeed(request)) {
        const deed = await decideDeed(language, form, request, options);
        if (deed !== undefined) return deed;
      }
      const wanted = request.pageCharacters ?? FULL_BUDGET.page;
      const page = pageWithin(language.contextWindow, wanted, options.ai.maxTokens);
      const { prompt, generation: first } = await callWithinContext(ask, request, options, page);
      let { messages } = prompt;
      let generation = first;
      for (let repairs = 0; ; repairs += 1) {
        const read = readReply(generation, request);
        if (read.kind === 'valid') return answer(read.reply, generation, prompt);
        const isLast = repairs === MOST_REPAIRS;
        const misfit = isLast && options.validationMode === 'strict' ? misfitReply(read.faults, request) : undefined;
        if (isLast && options.validationMode === 'lenient') {
          const message = `The reply of ${language.name} does not fit the reply schema, so defaults were filled in: ${read.faults.join('; ')}`;
          const filled = answer(lenientReply(read.value, generation.text), generation, prompt);
          return { ...filled, warnings: [...(filled.warnings ?? []), { code: 'TL003', message }] };
        }
        await options.listener.discarded();
        if (misfit !== undefined) return answer(misfit, generation, prompt);
        if (isLast) throw misfitError(language.name, read.faults);
        messages = repairMessages(messages, replyText(generation), read.faults);
        generation = await ask({ ...prompt, messages }, options);
      }
    },
  };

  function answer(reply: unknown, generation: Generation, { sizes, shortenedTo }: AskedPrompt): DecisionResult {
    const message = `The request was too long for ${language.name}, so it was sent again with ${shortenedTo} characters of the page at most.`;
    return {
      reply,
      usage: generation.usage ?? NO_USAGE,
      model: language.name,
      promptSizes: sizes,
      ...(shortenedTo === undefined ? {} : { warnings: [{ code: 'AI005', message }] }),
    };
  }
}

type ReplyCaller = (prompt: Pick<Prompt, 'system' | 'messages' | 'reply'>, options: CallOptions) => Promise<Generation>;

/** Asks for replies. After a vendor has refused what a page adds to the schema, all further requests have the plain one. */
function replyCaller(language: LanguageModel, form: ReplyForm): ReplyCaller {
  let isRefused = false;
  return async ({ reply, ...prompt }, options) => {
    const asked = isRefused ? WHOLE_REPLY : reply;
    try {
      return await callWithRoom(language, answerAs(form, asked), prompt, options);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'schema-refused' || asked === WHOLE_REPLY) throw error;
      isRefused = true;
      return await callWithRoom(language, answerAs(form, WHOLE_REPLY), prompt, options);
    }
  };
}

/** `shortenedTo`: characters of the page, where the model refused more. */
type AskedPrompt = Prompt & { shortenedTo?: number };

async function callWithinContext(
  ask: ReplyCaller,
  request: DecisionRequest,
  options: CallOptions,
  page: number,
): Promise<{ prompt: AskedPrompt; generation: Generation }> {
  const prompt = decisionPrompt(request, options.nonce, { ...FULL_BUDGET, page }, options.system);
  try {
    return { prompt, generation: await ask(prompt, options) };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'too-long') throw error;
    const less = { ...request, picture: undefined };
    const budget = { ...SMALL_BUDGET, page: Math.min(page / 4, SMALL_BUDGET.page) };
    const small = decisionPrompt(less, options.nonce, budget, options.system);
    const generation = await ask(small, options);
    return { prompt: { ...small, shortenedTo: budget.page }, generation };
  }
}

function readReply(generation: Generation, request: DecisionRequest): ParsedReply {
  const about = { snapshot: request.snapshot, hasActed: hasActed(request) };
  const [called] = generation.functionCalls;
  const parsed = called === undefined ? parseReply(generation.text, about) : checkReply(inputOf(called), about);
  const fault = parsed.kind === 'valid' ? stepFault(parsed.reply, request) : undefined;
  return parsed.kind === 'valid' && fault !== undefined
    ? { kind: 'invalid', faults: [fault], value: parsed.reply }
    : parsed;
}

function hasActed({ pastIterations }: DecisionRequest): boolean {
  return pastIterations.some(({ outcomes }) => outcomes.some(({ status }) => status !== 'skipped'));
}

/** Makes the calls that the text of a turn holds. One that was cut off is not whole, and its model is asked for less. */
function withWrittenCalls(generation: Generation, tools: readonly FunctionTool[]): Generation {
  const { text, functionCalls, stopReason } = generation;
  if (functionCalls.length > 0 || stopReason === 'max_tokens') return generation;
  const written = writtenCalls(text, tools);
  if (written === undefined) return generation;
  // In the vendor's own format the calls are text, and their results would answer nothing.
  return {
    ...generation,
    text: written.before,
    functionCalls: written.calls,
    stopReason: 'tool_calls',
    raw: undefined,
  };
}

function replyText({ text, functionCalls }: Generation): string {
  return functionCalls.length === 0 ? text : functionCalls[0]!.args;
}
