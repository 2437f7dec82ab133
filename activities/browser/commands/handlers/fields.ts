import type { ElementHandle, Frame, Locator } from 'playwright';
import { webOriginOf } from '../../../../contracts/browsers/origins';
import type { fieldCommands } from '../../../../contracts/commands/definitions/fields';
import { EngineError } from '../../../activity/failures';
import { chooseOption } from '../choosing/choose';
import { toWanted } from '../choosing/wanted';
import { setChecked } from '../pointer/set-checked';
import { withCodes } from '../typing/one-time-code';
import { readField } from '../typing/field-facts';
import { isSameText } from '../typing/same-text';
import { typeText } from '../typing/type-text';
import { guardField, unguardField } from '../../../secrets/guarded-fields';
import type { BoundSecret } from '../../../secrets/session-values';
import type { CommandHandlers } from './command-handler';

export const fieldHandlers: CommandHandlers<typeof fieldCommands> = {
  async INPUT_TEXT({ batch, attachment, page, element, field: found, parameters, secrets, timeoutMs, signal }) {
    const { text } = parameters;
    if (secrets.length > 0) {
      // Before a code is taken, and anew after the wait for it.
      await fieldFor(secrets, element, timeoutMs);
      const whole = await withCodes(text, secrets, { ...batch, timeoutMs, signal });
      const field = await fieldFor(secrets, element, timeoutMs);
      attachment.hasTypedSecret = true;
      await guardField(field);
      await field.fill(whole, { timeout: timeoutMs });
      await assertHoldsSecret(field as ElementHandle<Element>, whole);
      return;
    }
    if (attachment.hasTypedSecret) await unguardField((await element.elementHandle({ timeout: timeoutMs }))!);
    // The page may have led on since its field was looked at; of a frame nobody says so.
    const isSamePage = found?.isInMainFrame === true && attachment.watch.collected().navigations.length === 0;
    const held = await typeText(element, text, { page, timeoutMs, signal }, isSamePage ? found : undefined);
    return held === undefined ? undefined : { held };
  },

  async SELECT_OPTION({ page, element, parameters, timeoutMs, signal }) {
    await chooseOption(element, toWanted(parameters), { page, timeoutMs, signal });
  },

  async FOCUS_ELEMENT({ element, timeoutMs, signal }) {
    await element.focus({ timeout: timeoutMs, signal });
  },

  async SET_CHECKED({ page, element, parameters: { checked }, timeoutMs, signal }) {
    await setChecked(page, element, checked, { timeoutMs, signal });
  },
};

/** A handle belongs to one document: should another take its place after the check, nothing is typed. */
export async function fieldFor(
  secrets: readonly BoundSecret[],
  element: Locator,
  timeoutMs: number,
): Promise<ElementHandle<Node>> {
  const field = (await element.elementHandle({ timeout: timeoutMs })) as ElementHandle<Node>;
  const origin = originOf(await field.ownerFrame());
  for (const secret of secrets) requireOrigin(secret, origin);
  return field;
}

/** Says how much stands there instead, never what. A page that took the field away has gone on with the secret. */
async function assertHoldsSecret(field: ElementHandle<Element>, text: string): Promise<void> {
  const shown = await field.evaluate(readField).catch(() => undefined);
  const isThere = shown !== undefined && (await field.evaluate((node) => node.isConnected).catch(() => false));
  if (!isThere || isSameText(text, shown)) return;
  throw new EngineError('EX003', `The secret was typed, but ${shown.length} other characters stand there now.`);
}

/**
 * The origin by the address that the browser reports for the frame, never by what its document says of itself. A
 * document without an address of its own belongs to the one around it.
 */
function originOf(frame: Frame | null): string | undefined {
  if (frame === null) return undefined;
  const url = frame.url();
  const hasNone = url === '' || /^about:(?:blank|srcdoc)(?:[?#]|$)/.test(url);
  return hasNone ? originOf(frame.parentFrame()) : webOriginOf(url);
}

function requireOrigin({ alias, origins }: BoundSecret, origin: string | undefined): void {
  if (origin !== undefined && origins.includes(origin)) return;
  throw new EngineError(
    'SM002',
    `The secret ${alias} is only typed into fields of ${origins.join(', ')}; this field is of ${origin ?? 'a document without an origin'}, so it was not typed.`,
    {
      details: { guard: 'secret-origin', secret: alias, origin: origin ?? null },
      suggestedAction:
        'Go to the page that the secret is for. Should this one be it, name its origin when the session is started.',
    },
  );
}
