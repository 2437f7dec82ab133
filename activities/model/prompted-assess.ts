import { callLanguage, inputOf, NO_USAGE } from './language-call';
import { jsonIn } from './parse-reply';
import type { Asking, Assessment, Generation, InvestigationQuestion, LanguageModel } from './port';
import { FULL_BUDGET, SMALL_BUDGET } from './prompts/action';
import { investigationPrompt } from './prompts/investigation';
import { ModelTrouble } from './providers/trouble';
import { answerAs, JUDGEMENT, type ReplyForm } from './reply-schema';

/** One phase judged by a vendor's model: prompt, call, judgement; once more with less when it was too long for it. */
export async function assessWith(
  language: LanguageModel,
  form: ReplyForm,
  question: InvestigationQuestion,
  asking: Asking,
): Promise<Assessment> {
  const answer = answerAs(form, JUDGEMENT);
  const full = investigationPrompt(question, asking.nonce, FULL_BUDGET);
  let sizes = full.sizes;
  let generation: Generation;
  try {
    generation = await callLanguage(language, answer, full, asking);
  } catch (error) {
    if (!(error instanceof ModelTrouble) || error.kind !== 'too-long') throw error;
    const small = investigationPrompt(question, asking.nonce, SMALL_BUDGET);
    sizes = small.sizes;
    generation = await callLanguage(language, answer, small, asking);
  }
  const [called] = generation.functionCalls;
  const written = jsonIn(generation.text);
  return {
    judgement: called === undefined ? (written.kind === 'value' ? written.value : undefined) : inputOf(called),
    usage: generation.usage ?? NO_USAGE,
    model: language.name,
    promptSizes: sizes,
  };
}
