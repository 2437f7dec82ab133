// A strict program in an ES module: starts a session over HTTP, follows it and reads its results.
import { z } from 'zod';
import { ApiError, createClient, SessionStatus, type StartRequest, type StreamEvent } from 'surefoot';

const [api = '', token, shop] = process.argv.slice(2);
const surefoot = createClient({ api, token });
const request: StartRequest = {
  steps: [`Open ${shop}/parts/counter`, 'Click "Add one"', 'Save the Count as count'],
};
const { sessionId, totalSteps } = await surefoot.startSession(request);

const types: StreamEvent['type'][] = [];
for await (const event of surefoot.follow(sessionId)) types.push(event.type);

const { session, variables } = await surefoot.waitForEnd(sessionId);
const isCompleted: boolean = session.status === SessionStatus.COMPLETED;
const count = variables.find(({ name }) => name === 'count')?.value;
const screenshots = await surefoot.listScreenshots(sessionId);
const [first] = screenshots;
const picture = first === undefined ? undefined : await surefoot.showScreenshot(sessionId, first.id);

const refusal: unknown = await surefoot.pauseSession(sessionId).catch((error: unknown) => error);
const refused = refusal instanceof ApiError ? refusal.status : undefined;
// @ts-expect-error -- a request has no such member.
const wrong: StartRequest = { stepz: [] };
// The result has the type of its zod schema, and is what that makes of the page's data.
const Product = z.object({ name: z.string(), price: z.number().transform((euros) => euros * 100), link: z.url() });
const { result } = await surefoot.runSession({
  steps: [{ extract: 'all products', url: `${shop}/catalogue` }],
  result: { schema: z.array(Product), pages: 1 },
  config: { executorConfig: { screenshotsEnabled: false } },
});
type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTyped: Exact<typeof result, { name: string; price: number; link: string }[] | null> = true;
// @ts-expect-error -- the schema has no such member.
const colour = result?.[0]?.colour;
const untyped = await surefoot.runSession({ steps: [`Open ${shop}/parts/counter`] });
const isUnknown: Exact<typeof untyped.result, unknown> = true;
const kept = await surefoot.showResult((await surefoot.listSessions({ pageSize: 2 })).data![1]!.sessionId);
const typed = { rows: result?.length, first: result?.[0], colour, isTyped, isUnknown, sources: kept.sources.length };
console.log(JSON.stringify({ totalSteps, types, isCompleted, count, bytes: picture?.length, refused, wrong, typed }));
