import type { waitingCommands } from '../../../../contracts/commands/definitions/waiting';
import { toElementText } from '../../../../contracts/commands/element-text';
import { shortened } from '../../../../contracts/text';
import type { Attachment } from '../../attach/attachment';
import { EngineError } from '../../../activity/failures';
import { containsText } from '../../../../rules/page-text/contains-text';
import type { CommandContext, CommandHandlers } from './command-handler';
import { isElementMet, shownValue } from './element-expectation';
import { obstacleOfNamed } from './named-controls';
import { shownCount } from './shown-count';
import { pollUntil } from '../poll-until';
import { isElementVisible, isTextVisible } from './visible-text';

/** Pages need a moment to show what is expected; the whole timeout would make every failed expectation slow. */
const EXPECT_LIMIT_MS = 5000;

export const waitingHandlers: CommandHandlers<typeof waitingCommands> = {
  async WAIT_FOR({ attachment, page, parameters: { text, hidden = false, seconds }, timeoutMs, signal }) {
    const limitMs = Math.min(seconds === undefined ? timeoutMs : seconds * 1000, timeoutMs);
    if (text === undefined) {
      await pollUntil(() => neverWhileConnected(attachment), limitMs, signal);
      return;
    }
    let obstacle: string | undefined;
    const isSo = async (): Promise<boolean> => {
      if ((await isTextVisible(page, text)) === hidden) return false;
      obstacle = hidden ? undefined : await obstacleOfNamed(page, text);
      return obstacle === undefined;
    };
    if (await pollUntil(isSo, limitMs, signal)) return;
    const missing = obstacle === undefined ? 'did not appear' : `is there, but ${obstacle}, and that did not change`;
    const found = hidden ? `“${text}” is still there` : `“${text}” ${missing}`;
    throw new EngineError('EX002', `${found} within ${limitMs / 1000} s on ${page.url()}.`);
  },

  async EXPECT(context) {
    const { page, parameters, timeoutMs, signal } = context;
    const { absent = false } = parameters;
    const isExpected = async (): Promise<boolean> => (await isMet(context)) !== absent;
    if (parameters.state !== undefined && context.element === undefined)
      throw new EngineError('SM002', 'EXPECT of a state needs the selector of the element.');
    const { count, roles, text, state } = parameters;
    if (count !== undefined && (roles === undefined || text !== undefined || state !== undefined))
      throw new EngineError(
        'SM002',
        'EXPECT of a count takes the roles of what is counted, and neither text nor state.',
      );
    if (await pollUntil(isExpected, Math.min(EXPECT_LIMIT_MS, timeoutMs), signal)) return;
    const named = absent || parameters.text === undefined ? undefined : context.element;
    const shown =
      parameters.count === undefined
        ? named && (await shownValue(named.first()).catch(() => undefined))
        : await shownCount(page, context.element, parameters.roles!).then(String, () => undefined);
    throw new EngineError(
      'EX002',
      `Expected ${absent ? 'not ' : ''}${describeExpectation(parameters)}, but the page “${await page.title()}” (${page.url()}) ${absent ? 'still does' : 'does not'}.${shown === undefined ? '' : ` It shows “${shortened(shown, 200)}”.`}`,
    );
  },
};

/** Nothing is asked of the page meanwhile, so its loss would not show otherwise. */
async function neverWhileConnected(attachment: Attachment): Promise<false> {
  if (!attachment.isConnected) throw new Error('Connection closed');
  return false;
}

async function isMet({ page, element, parameters }: CommandContext<'EXPECT'>): Promise<boolean> {
  const { url, title, text, roles, count, state, matchCase } = parameters;
  if (url !== undefined && !page.url().includes(url)) return false;
  if (title !== undefined && !containsText(await page.title(), title, matchCase)) return false;
  if (count !== undefined) return (await shownCount(page, element, roles!)) === count;
  if (element !== undefined) return await isElementMet(element.first(), { text, state, matchCase });
  if (roles !== undefined) return await isElementVisible(page, text, roles, matchCase);
  return text === undefined || (await isTextVisible(page, text, matchCase));
}

function describeExpectation({
  url,
  title,
  text,
  selector,
  roles,
  count,
  state,
}: CommandContext<'EXPECT'>['parameters']): string {
  const parts = [
    url === undefined ? '' : `an address with “${url}”`,
    title === undefined ? '' : `a title with “${title}”`,
    text === undefined ? '' : `to see “${text}”`,
    selector === undefined
      ? ''
      : text === undefined
        ? `to see ${toElementText(selector)}`
        : `in ${toElementText(selector)}`,
    roles === undefined ? '' : `${count === undefined ? 'as' : `with ${count} of the role`} ${roles.join(' or ')}`,
    state === undefined ? '' : `to be ${state}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
