import { setTimeout as delay } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { ShopEnv, Visitor } from './visitors';

export const FaultSchema = z.strictObject({
  kind: z.enum(['slow', 'error', 'error-after', 'drop', 'drop-after']),
  /** Exact path, with its query where it has one here, or a prefix when it ends with `*`; any page when left out. */
  path: z.string().startsWith('/').optional(),
  method: z.enum(['GET', 'POST']).optional(),
  /** Applies only to browsers with this run label, so that tests on one shop do not use up each other's faults. */
  run: z.string().optional(),
  delayMs: z.int().min(0).max(600_000).default(1000),
  times: z.int().positive().default(1),
  /**
   * How long a dropped line stays down for the same request of the same browser. Chromium sends a request whose
   * connection was cut again by itself, within milliseconds and also if it is a POST; with 0 that repeat takes effect.
   */
  downMs: z.int().min(0).max(60_000).default(250),
});
type Fault = z.output<typeof FaultSchema>;

export interface Faults {
  inject: MiddlewareHandler<ShopEnv>;
  add(fault: Fault): void;
  /** Faults that are left. */
  list(): readonly Fault[];
  /** How many repeats hit a line that was still down; they had no effect. */
  repeats(): number;
  reset(): void;
}

interface DownLine {
  visitor: Visitor;
  method: string;
  path: string;
  until: number;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  let downLines: DownLine[] = [];
  let repeats = 0;

  function take(c: Context<ShopEnv>): Fault | undefined {
    const fault = faults.find((each) => isMatch(each, c));
    if (fault === undefined) return undefined;
    fault.times -= 1;
    faults = faults.filter(({ times }) => times > 0);
    return fault;
  }

  function takeDown(c: Context<ShopEnv>, { downMs }: Fault): void {
    const { method, path } = c.req;
    downLines.push({ visitor: c.get('visitor'), method, path, until: performance.now() + downMs });
  }

  function isDown(c: Context<ShopEnv>): boolean {
    downLines = downLines.filter(({ until }) => until > performance.now());
    const { method, path } = c.req;
    return downLines.some((line) => line.visitor === c.get('visitor') && line.method === method && line.path === path);
  }

  return {
    inject: async function injectFault(c, next) {
      if (isDown(c)) {
        repeats += 1;
        return dropConnection(c);
      }
      const fault = take(c);
      switch (fault?.kind) {
        case undefined:
          return next();
        case 'slow':
          // Continues after the client disconnects: an abandoned request may still take effect.
          await pause(fault.delayMs);
          return next();
        case 'error':
          return errorPage(c);
        case 'error-after':
          await next();
          c.res = await errorPage(c);
          return;
        case 'drop':
          takeDown(c, fault);
          return dropConnection(c);
        case 'drop-after':
          await next();
          takeDown(c, fault);
          c.res = dropConnection(c);
      }
    },
    add: (fault) => void faults.push({ ...fault }),
    list: () => faults,
    repeats: () => repeats,
    reset() {
      faults = [];
      downLines = [];
      repeats = 0;
    },
  };
}

/** Waits without keeping the process alive. */
export async function pause(milliseconds: number): Promise<void> {
  await delay(milliseconds, undefined, { ref: false });
}

function isMatch(fault: Fault, c: Context<ShopEnv>): boolean {
  if (fault.method !== undefined && fault.method !== c.req.method) return false;
  if (fault.run !== undefined && fault.run !== c.get('visitor').run) return false;
  if (fault.path === undefined) return true;
  if (fault.path.includes('?')) return fault.path === `${c.req.path}${new URL(c.req.url).search}`;
  return fault.path.endsWith('*') ? c.req.path.startsWith(fault.path.slice(0, -1)) : c.req.path === fault.path;
}

function errorPage(c: Context<ShopEnv>): Response | Promise<Response> {
  return c.html('<!doctype html><title>Error</title><h1>Something went wrong</h1><p>Try again later.</p>', 500);
}

/** Cuts the socket without a byte of answer; the response returned here is seen only where there is no socket. */
function dropConnection(c: Context<ShopEnv>): Response {
  c.env.incoming?.socket.destroy();
  return new Response('connection dropped', { status: 502 });
}
