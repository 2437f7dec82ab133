import { z } from 'zod';
import type { LanguageModel } from '../../../contracts/model-port/language-model';
import type { CallOptions, DecisionRequest, RefusedReading, StepReading } from '../../../contracts/model-port/port';
import { askAboutPage } from './calls/ask-about-page';
import { inputOf, NO_USAGE } from './calls/language-call';
import { readingPrompt } from './prompts/reading';
import { jsonValuesIn } from './replies/json-in-text';
import { answerAs, READING, type ReplyForm } from './replies/reply-schema';

const SaidSchema = z.object({ step: z.string().trim().min(1).max(2000) });

/** Has a vendor's model say a step in the words of `rules`. A request that is too long is sent once more with less of the page. */
export async function readWith(
  language: LanguageModel,
  form: ReplyForm,
  request: DecisionRequest,
  options: CallOptions,
  refused?: RefusedReading,
): Promise<StepReading> {
  const { prompt, generation } = await askAboutPage(language, request, options, (characters) => ({
    ...readingPrompt(request, options.nonce, characters, refused),
    answer: answerAs(form, READING),
  }));
  const [called] = generation.functionCalls;
  const values = called === undefined ? jsonValuesIn(generation.text).map(({ value }) => value) : [inputOf(called)];
  const said = values.map((value) => SaidSchema.safeParse(value)).find(({ success }) => success);
  return {
    step: said?.data?.step,
    usage: generation.usage ?? NO_USAGE,
    model: language.name,
    promptSizes: prompt.sizes,
  };
}
