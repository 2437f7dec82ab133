import { Script } from 'node:vm';
import type { Page } from 'playwright';
import { MAX_OUTPUT } from '../../../../contracts/commands/definitions/members';
import type { scriptCommands } from '../../../../contracts/commands/definitions/scripts';
import { EngineError } from '../../../activity/failures';
import { withinMs } from '../../../../runtime/time-limit';
import { isDocumentGone, isTargetClosed } from '../../attach/playwright-errors';
import type { CommandHandlers } from './command-handler';

export const scriptHandlers: CommandHandlers<typeof scriptCommands> = {
  /** Runs the script over CDP: a page's content security policy would forbid Playwright's evaluate. */
  async RUN_SCRIPT({ attachment, page, parameters: { script }, timeoutMs }) {
    if (!attachment.hasDevTools) return { output: await runInPage(page, script, timeoutMs) };
    const session = await attachment.cdp(page);
    const startedAt = performance.now();
    const asked = session.send('Runtime.evaluate', {
      expression: expressionOf(script),
      awaitPromise: true,
      replMode: !hasReturn(script),
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
      throw scriptError(exception?.description ?? text);
    }
    if (result.objectId === undefined) return { output: result.type === 'undefined' ? 'undefined' : textOf(result) };
    // Only as much as is stored leaves the page.
    const { result: text } = await session.send('Runtime.callFunctionOn', {
      objectId: result.objectId,
      functionDeclaration: `function (limit) { return (${String(serialize)})(this, limit); }`,
      arguments: [{ value: MAX_OUTPUT + 1 }],
      returnByValue: true,
    });
    return { output: String(text.value) };
  },
};

/** Without DevTools nothing ends a script that never ends by itself, and a page's content security policy may forbid it. */
async function runInPage(page: Page, script: string, timeoutMs: number): Promise<string> {
  // What is no expression is a body whose value nobody asks for.
  const source = hasReturn(script) || isExpression(script) ? expressionOf(script) : `(() => {${script}\n})()`;
  const asked = page.evaluateHandle(source).then((value) => value.evaluate(serialize, MAX_OUTPUT + 1));
  return await withinMs(timeoutMs, asked, () => timeoutError(timeoutMs, 'and may go on')).catch((error: Error) => {
    if (error instanceof EngineError || isTargetClosed(error) || isDocumentGone(error)) throw error;
    throw scriptError(error.message.replace(/^[\w.]+: /, ''));
  });
}

function isExpression(script: string): boolean {
  try {
    return new Script(`(${script.trim().replace(/;$/, '')}\n)`) instanceof Script;
  } catch {
    return false;
  }
}

function hasReturn(script: string): boolean {
  return !isFunctionText(script) && /(?:^|[;{}\n])\s*return\b/.test(script);
}

function expressionOf(script: string): string {
  if (isFunctionText(script)) return calling(script);
  return hasReturn(script) ? `(async () => {${script}\n})()` : script;
}

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

function scriptError(text: string): EngineError {
  return new EngineError('TL004', `The script threw: ${text.split('\n    at ')[0]}`);
}

function timeoutError(timeoutMs: number, end = 'and was stopped; what it had begun may go on'): EngineError {
  return new EngineError('EX003', `The script was not through within ${timeoutMs / 1000} s ${end}.`);
}

/** Runs in the page, on the value of the script. */
function serialize(result: unknown, limit: number): string {
  if (typeof result === 'string') return result.slice(0, limit);
  if (result instanceof Element) return result.outerHTML.slice(0, limit);
  const seen = new WeakSet<object>();
  try {
    const text = JSON.stringify(result, (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value);
      if (typeof value === 'function') return '[function]';
      if (typeof value !== 'object' || value === null) return value;
      if (seen.has(value)) return '[seen above]';
      seen.add(value);
      return value instanceof Node ? `[${value.nodeName.toLowerCase()}]` : value;
    });
    return (text ?? String(result)).slice(0, limit);
  } catch (error) {
    return `[a value that has no text: ${String(error)}]`;
  }
}
