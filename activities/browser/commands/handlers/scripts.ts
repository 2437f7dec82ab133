import { Script } from 'node:vm';
import { MAX_OUTPUT } from '../../../../contracts/commands/definitions/members';
import type { scriptCommands } from '../../../../contracts/commands/definitions/scripts';
import { EngineError } from '../../../activity/failures';
import { withinMs } from '../../../../runtime/time-limit';
import { isTargetClosed } from '../../attach/playwright-errors';
import type { CommandHandlers } from './command-handler';

export const scriptHandlers: CommandHandlers<typeof scriptCommands> = {
  /** Runs the script over CDP: a page's content security policy would forbid Playwright's evaluate. */
  async RUN_SCRIPT({ attachment, page, parameters: { script }, timeoutMs }) {
    const session = await attachment.cdp(page);
    const isFunction = isFunctionText(script);
    const hasReturn = !isFunction && /(?:^|[;{}\n])\s*return\b/.test(script);
    const startedAt = performance.now();
    const asked = session.send('Runtime.evaluate', {
      expression: isFunction ? calling(script) : hasReturn ? `(async () => {${script}\n})()` : script,
      awaitPromise: true,
      replMode: !hasReturn,
      userGesture: true,
      // Ends a script that never ends by itself.
      timeout: timeoutMs,
    });
    const { result, exceptionDetails } = await withinMs(timeoutMs + 1000, asked).catch((error: unknown) => {
      // Chromium reports an internal error for a script that it has ended.
      const isOver = performance.now() - startedAt >= timeoutMs;
      if (!isOver || isTargetClosed(error)) throw error;
      throw timeoutError(timeoutMs);
    });
    if (exceptionDetails !== undefined) {
      const { exception, text } = exceptionDetails;
      if (/terminated/i.test(text)) throw timeoutError(timeoutMs);
      throw new EngineError('TL004', `The script threw: ${(exception?.description ?? text).split('\n    at ')[0]}`);
    }
    if (result.objectId === undefined) return { output: result.type === 'undefined' ? 'undefined' : textOf(result) };
    // Only as much as is stored leaves the page.
    const { result: text } = await session.send('Runtime.callFunctionOn', {
      objectId: result.objectId,
      functionDeclaration: String(serialize),
      arguments: [{ value: MAX_OUTPUT + 1 }],
      returnByValue: true,
    });
    return { output: String(text.value) };
  },
};

const BEGINS_A_FUNCTION = /^\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)/;

/** Whether a script is one function and nothing else, as models write it that know Playwright's `evaluate`: it is called. */
function isFunctionText(script: string): boolean {
  if (!BEGINS_A_FUNCTION.test(script)) return false;
  try {
    return new Script(calling(script)) instanceof Script;
  } catch {
    return false;
  }
}

/** Only what comes first is called: a name behind a comma may be a function of the browser. */
function calling(script: string): string {
  return `((first) => first())(${script.trim().replace(/;$/, '')}\n)`;
}

function textOf({ value, unserializableValue }: { value?: unknown; unserializableValue?: string }): string {
  return unserializableValue ?? (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
}

function timeoutError(timeoutMs: number): EngineError {
  return new EngineError(
    'EX003',
    `The script was not through within ${timeoutMs / 1000} s and was stopped; what it had begun may go on.`,
  );
}

/** Runs in the page, on the value of the script. */
function serialize(this: unknown, limit: number): string {
  if (this instanceof Element) return this.outerHTML.slice(0, limit);
  const seen = new WeakSet<object>();
  try {
    const text = JSON.stringify(this, (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value);
      if (typeof value === 'function') return '[function]';
      if (typeof value !== 'object' || value === null) return value;
      if (seen.has(value)) return '[seen above]';
      seen.add(value);
      return value instanceof Node ? `[${value.nodeName.toLowerCase()}]` : value;
    });
    return (text ?? String(this)).slice(0, limit);
  } catch (error) {
    return `[a value that has no text: ${String(error)}]`;
  }
}
