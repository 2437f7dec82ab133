import { EngineError } from '../../activity/failures';
import { checkReply, lenientReply, parseReply, type ParsedReply } from './replies/parse-reply';
import type { Generation, GenerationRequest, LanguageModel } from '../../../contracts/model-port/language-model';
import type { CallOptions, Model, DecisionResult, DecisionRequest } from '../../../contracts/model-port/port';
import { NO_USAGE, callWithRoom, inputOf } from './calls/language-call';
import { assessWith } from './prompted-assessment';
import { decisionPrompt, FULL_BUDGET, SMALL_BUDGET, type Prompt } from './prompts/decision';
import { repairMessages } from './prompts/repair';
import { SUMMARY_PROMPT } from './prompts/summary';
import { ProviderError } from './providers/provider-error';
import { stepFault } from './begun-step';
import { answerAs, FLAT_REPLY, REPLY, type ReplyForm } from './replies/reply-schema';

/**
 * Makes a Model of a vendor's language model. A request that is too long is sent once more with less of the page. A reply
 * that does not fit goes back once with its faults; the second reply is final.
 */
export function createPromptedModel(language: LanguageModel, form: ReplyForm): Model {
  const ask = replyCaller(language, form);
  return {
    assess: (request, options) => assessWith(language, form, request, options),
    async turn({ system, messages, tools, view }, options) {
      const answer = { kind: 'tools', tools, view } as const;
      const generation = await callWithRoom(language, answer, { system, messages }, options);
      return { ...generation, usage: generation.usage ?? NO_USAGE, model: language.name };
    },
    async summarize(transcript, options) {
      const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: transcript }] }];
      const prompt = { system: SUMMARY_PROMPT, messages };
      return (await callWithRoom(language, { kind: 'text' }, prompt, options)).text;
    },
    async decide(request, options) {
      const { prompt, generation } = await callWithinContext(ask, request, options);
      const first = read(generation, request);
      if (first.kind === 'valid') return answer(first.reply, generation, prompt);

      await options.listener.discarded();
      const messages = repairMessages(prompt.messages, replyText(generation), first.faults);
      const repaired = await ask({ ...prompt, messages }, options);
      const second = read(repaired, request);
      if (second.kind === 'valid') return answer(second.reply, repaired, prompt);

      const faults = second.faults.join('; ');
      if (options.validationMode === 'lenient') {
        const reply = lenientReply(second.value, repaired.text);
        const warning = `The reply of ${language.name} does not fit the reply schema, so defaults were filled in: ${faults}`;
        return { ...answer(reply, repaired, prompt), warnings: [warning] };
      }
      await options.listener.discarded();
      throw new EngineError(
        'TL003',
        `The reply of ${language.name} does not fit the reply schema, also after one repair: ${faults}`,
        {
          details: { faults: second.faults },
        },
      );
    },
  };

  function answer(reply: unknown, generation: Generation, { sizes }: Prompt): DecisionResult {
    return { reply, usage: generation.usage ?? NO_USAGE, model: language.name, promptSizes: sizes };
  }
}

type ReplyCaller = (
  prompt: Pick<GenerationRequest, 'system' | 'messages'>,
  options: CallOptions,
) => Promise<Generation>;

/** Asks for replies. After a vendor has refused the schema of a reply, all further requests have the simpler one. */
function replyCaller(language: LanguageModel, form: ReplyForm): ReplyCaller {
  let reply = REPLY;
  return async (prompt, options) => {
    const asked = reply;
    try {
      return await callWithRoom(language, answerAs(form, asked), prompt, options);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'schema-refused' || asked === FLAT_REPLY) throw error;
      reply = FLAT_REPLY;
      return await callWithRoom(language, answerAs(form, reply), prompt, options);
    }
  };
}

async function callWithinContext(
  ask: ReplyCaller,
  request: DecisionRequest,
  options: CallOptions,
): Promise<{ prompt: Prompt; generation: Generation }> {
  const page = request.pageCharacters ?? FULL_BUDGET.page;
  const prompt = decisionPrompt(request, options.nonce, { ...FULL_BUDGET, page }, options.system);
  try {
    return { prompt, generation: await ask(prompt, options) };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'too-long') throw error;
    const less = { ...request, picture: undefined };
    const budget = { ...SMALL_BUDGET, page: Math.min(page / 4, SMALL_BUDGET.page) };
    const small = decisionPrompt(less, options.nonce, budget, options.system);
    return { prompt: small, generation: await ask(small, options) };
  }
}

function read(generation: Generation, request: DecisionRequest): ParsedReply {
  const { snapshot } = request;
  const [called] = generation.functionCalls;
  const parsed = called === undefined ? parseReply(generation.text, snapshot) : checkReply(inputOf(called), snapshot);
  const fault = parsed.kind === 'valid' ? stepFault(parsed.reply, request) : undefined;
  return parsed.kind === 'valid' && fault !== undefined
    ? { kind: 'invalid', faults: [fault], value: parsed.reply }
    : parsed;
}

function replyText({ text, functionCalls }: Generation): string {
  return functionCalls.length === 0 ? text : functionCalls[0]!.args;
}
