import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import {
  AskDialogRequestSchema,
  CloseBrowserQuerySchema,
  HoldDialogsRequestSchema,
  OpenBrowserRequestSchema,
  OpenRelayRequestSchema,
  RenewReservationsRequestSchema,
  ReservationQuerySchema,
  SetDeedRequestSchema,
  SetIdempotencyHeaderRequestSchema,
  SetNetworkRequestSchema,
} from '../../contracts/browsers/keeper';
import { isTooDeep, TOO_DEEP } from '../../contracts/json-depth';
import { bearerCheck } from '../../runtime/bearer-token';
import { asWork } from '../../runtime/current-work';
import type { Browsers } from './browsers/browsers';
import { hostProblem } from '../../runtime/http/host-header';
import { KeeperRefusal } from './host/refusals';

/** The session id names its browser's folder, so it must be a plain file name. */
const SessionIdSchema = z.string().regex(/^\w[\w.-]{0,127}$/, 'expected letters, digits, dots, dashes and underscores');
const OpenSchema = OpenBrowserRequestSchema.extend({ sessionId: SessionIdSchema });
const SinceSchema = z.iso.datetime({ offset: true }).optional();

/** The request of Node, which a server brings. */
interface KeeperEnv {
  Bindings: Partial<Pick<HttpBindings, 'incoming'>>;
}

/** A request that does not match its schema. */
class InvalidRequest extends Error {}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [what, ...(issue?.path ?? [])].join('.');
  throw new InvalidRequest(`The request is not usable at ${path}: ${issue?.message}.`);
}

async function bodyOf<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.infer<Schema>> {
  if (isTooDeep(await context.req.text())) throw new InvalidRequest(`The body ${TOO_DEEP}.`);
  const body: unknown = await context.req.json().catch(() => {
    throw new InvalidRequest('Expected a JSON body, got something else.');
  });
  return parse(schema, body, 'body');
}

/**
 * Creates the keeper's control interface: loopback only, and every route except the health check requires the host's
 * token.
 */
export function createKeeperApp({ browsers, token }: { browsers: Browsers; token: string }): Hono<KeeperEnv> {
  const app = new Hono<KeeperEnv>();
  const isAllowed = bearerCheck(token);

  app.use(async (context, next) => {
    // Undefined where it is asked without a socket.
    const incoming = context.env?.incoming;
    const problem = incoming === undefined ? undefined : hostProblem(incoming);
    return problem === undefined ? next() : context.json({ error: problem }, 400);
  });
  app.get('/health', (context) => context.json({ status: 'ok' }));
  app.use(async (context, next) => {
    if (!isAllowed(context.req.header('authorization'))) {
      return context.json({ error: "Expected the bearer token of this host's row, got none or another one." }, 401);
    }
    return next();
  });

  app.use((context, next) => {
    const { method, path } = context.req;
    return asWork({ name: `${method} ${path}`, sessionId: /^\/browsers\/([^/]+)/.exec(path)?.[1] }, next);
  });

  app.put('/reservations', async (context) => {
    const { reservations } = await bodyOf(context, RenewReservationsRequestSchema);
    reservations.forEach((id) => browsers.reservations.reserve(id));
    return context.body(null, 204);
  });
  app.put('/reservations/:id', async (context) => {
    const { waitMs } = parse(ReservationQuerySchema, context.req.query(), 'query');
    const { signal } = context.req.raw;
    return context.json({
      granted: await browsers.reservations.waitForReservation(context.req.param('id'), { waitMs, signal }),
    });
  });
  app.delete('/reservations/:id', (context) => {
    browsers.reservations.cancel(context.req.param('id'));
    return context.body(null, 204);
  });
  app.get('/browsers', (context) => context.json(browsers.list()));
  app.post('/browsers', async (context) => {
    const request = await bodyOf(context, OpenSchema);
    const { sessionId } = request;
    return await asWork({ name: 'open a browser', sessionId }, async () => context.json(await browsers.open(request)));
  });
  app.post('/browsers/:sessionId/relay', async (context) => {
    const { epoch } = await bodyOf(context, OpenRelayRequestSchema);
    return context.json(await browsers.openRelay({ sessionId: context.req.param('sessionId'), epoch }));
  });
  app.put('/browsers/:sessionId/commit-key', async (context) => {
    const { epoch, key } = await bodyOf(context, SetIdempotencyHeaderRequestSchema);
    await browsers.setIdempotencyHeader({ sessionId: context.req.param('sessionId'), epoch, key: key ?? undefined });
    return context.body(null, 204);
  });
  app.put('/browsers/:sessionId/deed', async (context) => {
    const { epoch, deed } = await bodyOf(context, SetDeedRequestSchema);
    const report = await browsers.setDeed({
      sessionId: context.req.param('sessionId'),
      epoch,
      deed: deed ?? undefined,
    });
    return context.json({ report: report ?? null });
  });
  app.put('/browsers/:sessionId/held-dialogs', async (context) => {
    const { epoch, forMs } = await bodyOf(context, HoldDialogsRequestSchema);
    await browsers.dialogs({ sessionId: context.req.param('sessionId'), epoch })?.hold(forMs ?? undefined);
    return context.body(null, 204);
  });
  app.post('/browsers/:sessionId/dialog', async (context) => {
    const { epoch, answer } = await bodyOf(context, AskDialogRequestSchema);
    const dialogs = browsers.dialogs({ sessionId: context.req.param('sessionId'), epoch });
    const isAnswered =
      answer !== undefined && (await dialogs?.answerHeld(answer.dialog, answer.accept, answer.promptText)) === true;
    return context.json({ isAnswered, held: dialogs?.held() ?? null });
  });
  app.put('/browsers/:sessionId/network', async (context) => {
    const request = await bodyOf(context, SetNetworkRequestSchema);
    return context.json(await browsers.setNetwork({ sessionId: context.req.param('sessionId'), ...request }));
  });
  app.get('/browsers/:sessionId/way-out', async (context) =>
    context.json({ openSince: await browsers.wayOutOpenSince(context.req.param('sessionId')) }),
  );
  app.get('/browsers/:sessionId/sockets', (context) =>
    context.json({ sockets: browsers.openSockets(context.req.param('sessionId')) }),
  );
  app.get('/browsers/:sessionId/quiet', (context) =>
    context.json({ quietForMs: browsers.quietForMs(context.req.param('sessionId')) }),
  );
  app.get('/browsers/:sessionId/blocked', async (context) =>
    context.json(await browsers.blockedOrigins(context.req.param('sessionId'))),
  );
  app.get('/browsers/:sessionId/evidence', (context) => {
    const since = parse(SinceSchema, context.req.query('since'), 'since');
    const browserId = context.req.query('browserId');
    return context.json(browsers.evidence({ sessionId: context.req.param('sessionId'), since, browserId }));
  });
  app.delete('/browsers/:sessionId', async (context) => {
    const query = parse(CloseBrowserQuerySchema, context.req.query(), 'query');
    await browsers.close(context.req.param('sessionId'), query);
    return context.body(null, 204);
  });

  app.notFound((context) =>
    context.json({ error: `The keeper has no ${context.req.method} ${context.req.path}.` }, 404),
  );
  app.onError((error, context) => {
    if (error instanceof InvalidRequest) return context.json({ error: error.message }, 400);
    if (error instanceof KeeperRefusal)
      return context.json({ error: error.message, reason: error.reason }, error.status);
    return context.json({ error: `The keeper failed: ${error.message}` }, 500);
  });
  return app;
}
