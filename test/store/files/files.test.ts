/** Files in a folder and in a bucket do the same; a store on a bucket keeps, expires and erases as one on a folder does. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import postgres from 'postgres';
import { checkFiles } from '../../../cli/doctor/files';
import { createBucketFiles } from '../../../store/files/bucket-files';
import { FilesUnavailable, type Files } from '../../../store/files/files';
import { createFolderFiles } from '../../../store/files/folder-files';
import { ArtifactNotSaved } from '../../../store/files/write-atomically';
import { openStore, type Store } from '../../../store/store';
import { sweepOnce } from '../../../worker/retention';
import { endSession, silent } from '../../api/fixture';
import { aSession } from '../../support/builders';
import { startS3Server, type S3Server } from '../../support/s3-server';
import { startTestStack, type TestStack } from '../../support/stack';

const KEEP = { artifactHours: 24, artifactsPerSession: 3, sessionDays: 30, uploadDays: 7, tombstoneDays: 365 };
const BYTES = Buffer.from('0123456789');
const NAME = 'Café & Co+100%.pdf';

let stack: TestStack;
let server: S3Server;
let store: Store;
let sql: postgres.Sql;
let places: Record<'folder' | 'bucket', Files>;
const bucketFiles = (more: { endpoint?: string; bucket?: string; prefix?: string } = {}): Files =>
  createBucketFiles({
    bucket: server.bucket,
    endpoint: server.endpoint,
    region: 'us-east-1',
    prefix: 'engine/',
    ...more,
  });

beforeAll(async () => {
  [stack, server] = await Promise.all([startTestStack({ parts: ['postgres'] }), startS3Server()]);
  const { endpoint, bucket } = server;
  const files = { bucket, endpoint, prefix: 'engine/' };
  store = await openStore({ databaseUrl: stack.databaseUrl, home: stack.home, files });
  sql = postgres(stack.databaseUrl, { max: 1 });
  places = { folder: createFolderFiles(join(stack.home, 'own')), bucket: bucketFiles() };
});
afterAll(async () => {
  places.bucket.close();
  await store.close();
  await sql.end();
  await server.close();
  await stack.stop();
});

const sweep = () => sweepOnce({ store, keep: KEEP, logger: silent }, { isWalking: true });
const isThere = async (path: string, files = places.bucket): Promise<boolean> => {
  const found = await files.open(path).catch(() => undefined);
  await found?.close();
  return found !== undefined;
};

test.each(['folder', 'bucket'] as const)(
  'a file in a %s is written whole, read by range, and removed',
  async (place) => {
    const files = places[place];
    const path = `s/${NAME}`;
    await files.write(path, Buffer.from('before'));
    await files.write(path, BYTES);
    expect(await files.read(path)).toEqual(BYTES);
    const opened = await files.open(path);
    expect(await opened.readFile()).toEqual(BYTES);
    await opened.close();
    for (const [range, found] of [
      [undefined, '0123456789'],
      [{ start: 3, end: 5 }, '345'],
      [{ start: 0, end: 1 }, '01'],
      [{ start: 8 }, '89'],
    ] as const)
      expect((await buffer((await files.open(path)).createReadStream(range))).toString()).toBe(found);
    await files.write('s/empty', Buffer.alloc(0));
    expect(await buffer((await files.open('s/empty')).createReadStream({}))).toHaveLength(0);
    const copies = join(stack.home, `copies-${place}`);
    mkdirSync(copies);
    const local = await files.localPath(path, () => Promise.resolve(copies));
    expect([local.endsWith(`/${NAME}`), readFileSync(local)]).toEqual([true, BYTES]);
    await files.remove([path, 's/empty', 's/never']);
    const missing = { code: 'ENOENT' };
    await expect(files.read(path)).rejects.toMatchObject(missing);
    await expect(files.open('s/never')).rejects.toMatchObject(missing);
  },
);

test('artifacts and uploads of a store on a bucket go with their session, and when their time is over', async () => {
  const [kept, erased] = [await aSession(store, { isActive: true }), await aSession(store, { isActive: true })];
  for (const sessionId of [kept, erased])
    for (let n = 0; n < 4; n += 1)
      await store.artifacts.save({ sessionId, artifactId: `shot-${n}`, kind: 'screenshot', content: `${n}` });
  const [newest] = (await store.artifacts.list(kept, 'screenshot')).slice(-1);
  expect((await store.artifacts.read(newest!)).toString()).toBe('3');
  for (const sessionId of [kept, erased]) await endSession(store, sessionId);
  await store.retention.erase(erased);
  await sweep();
  const left = ['shot-0', 'shot-1', 'shot-3'].flatMap((name) => [`${kept}/${name}.png`, `${erased}/${name}.png`]);
  expect(await Promise.all(left.map((path) => isThere(path)))).toEqual([false, false, true, false, true, false]);

  const key = randomUUID();
  const upload = { name: NAME, mediaType: 'text/plain', content: BYTES, idempotencyKey: key };
  const { row } = await store.uploads.save(upload);
  expect(await store.uploads.save(upload)).toEqual({ row, isReplayed: true });
  expect(await store.uploads.read(row)).toEqual(BYTES);
  await sql`update uploads set at = at - interval '8 days'`;
  await sweep();
  expect([await store.uploads.get(row.fileId), await isThere(row.path)]).toEqual([null, false]);
});

test('objects that no row knows go once their session is settled, and others stay as long as artifacts', async () => {
  const [open, settled] = [await aSession(store, { isActive: true }), await aSession(store, { isActive: true })];
  await endSession(store, settled);
  await sql`update sessions set last_activity = last_activity - interval '2 hours' where session_id = ${settled}`;
  const known = await store.artifacts.save({ sessionId: settled, artifactId: 'known', kind: 'dom', content: 'x' });
  const strangers = [`${open}/a.png`, `${settled}/b.png`, `${randomUUID()}/c.png`, 'uploads/file_1/d.txt'];
  for (const path of strangers) await places.bucket.write(path, BYTES);
  const other = bucketFiles({ prefix: 'other/' });
  await other.write(`${settled}/e.png`, BYTES);
  expect(await store.retention.removeOrphans(KEEP)).toBe(1);
  expect(await Promise.all([...strangers, known.path].map((path) => isThere(path)))).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
  expect(await isThere(`${settled}/e.png`, other)).toBe(true);
  expect(await store.retention.removeOrphans({ artifactHours: -1 })).toBe(1);
  expect(await isThere(strangers[2]!)).toBe(false);
  other.close();
});

test('a bucket that is not there, and a server that is not, cost a file alone, and say why', async () => {
  const none = bucketFiles({ bucket: 'no-such-bucket' });
  await expect(none.write('s/a', BYTES)).rejects.toThrow(ArtifactNotSaved);
  await expect(none.write('s/a', BYTES)).rejects.toThrow(
    /the bucket no-such-bucket could not be written \(NoSuchBucket/,
  );
  const away = bucketFiles({ endpoint: 'http://127.0.0.1:9' });
  await expect(away.write('s/a', BYTES)).rejects.toThrow(/could not be written \(connect ECONNREFUSED/);
  await expect(away.read('s/a')).rejects.toThrow(FilesUnavailable);
  await expect(away.open('s/a')).rejects.toThrow(
    /can not be read from the bucket surefoot-files \(connect ECONNREFUSED/,
  );
  for (const files of [none, away]) files.close();
  const doctor = async (bucket: string) =>
    await checkFiles({ bucket, endpoint: server.endpoint, region: 'us-east-1', prefix: '' }, stack.home);
  expect(await doctor('no-such-bucket')).toMatchObject([
    { health: 'poor', message: expect.stringContaining('NoSuchBucket') },
  ]);
  expect(await doctor(server.bucket)).toMatchObject([{ health: 'good' }]);
});
