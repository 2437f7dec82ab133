import { isOwnServer } from '../../../../contracts/models/model-name';
import { SETTINGS } from '../../../../runtime/settings/definitions';
import { readSetting } from '../../../../runtime/settings/setting';

/** Context windows in tokens, by the beginning of the model's own name. */
const CONTEXT_WINDOWS: readonly [prefix: string, tokens: number][] = [
  ['gemini-', 1_048_576],
  ['gpt-4.1', 1_047_576],
  ['gpt-4o', 128_000],
  ['claude-', 200_000],
];

/** The context window of `vendor/model`; that of a server of one's own is a setting. Undefined where it is not known. */
export function contextWindowOf(name: string, env: NodeJS.ProcessEnv = process.env): number | undefined {
  const own = name.slice(name.indexOf('/') + 1);
  const ofServer = isOwnServer(name) ? readSetting(SETTINGS.contextWindow, env) : undefined;
  return ofServer ?? CONTEXT_WINDOWS.find(([prefix]) => own.startsWith(prefix))?.[1];
}

/** Of a window the answer gets at most this part: servers count `max_tokens` as if all of them were written. */
const ANSWER_SHARE = 0.5;
/** The tokens of a request beside its page, with its attempts. */
const BESIDE_PAGE = 1200;
/** A token of a page has at least so many characters, and a page of fewer shows nothing. */
const CHARACTERS_PER_TOKEN = 3;
const LEAST_PAGE = 1000;

/** The most tokens that an answer may have within a window. */
export function answerWithin(window: number | undefined, maxTokens: number): number {
  return window === undefined ? maxTokens : Math.min(maxTokens, Math.floor(window * ANSWER_SHARE));
}

/** The most characters that a page may have within a window, beside its answer. */
export function pageWithin(window: number | undefined, characters: number, maxTokens: number): number {
  if (window === undefined) return characters;
  const left = (window - answerWithin(window, maxTokens) - BESIDE_PAGE) * CHARACTERS_PER_TOKEN;
  return Math.min(characters, Math.max(left, LEAST_PAGE));
}
