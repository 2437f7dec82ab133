// The newest postgres driver (3.4.9) forgets that it has cancelled a write when its connection goes. The connection that
// takes its place then waits to write until a kilobyte has come together: queries hang for minutes. And what is said to
// a connection that is gone ends the whole process. Both are known and open (porsager/postgres#1176, #1214); until a
// version has them mended, they are mended where the driver was installed.
const fs = require('node:fs');
const path = require('node:path');

const FORGET = 'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n';
const MENDS = [
  [
    '    const x = socket.write(chunk, fn)\n    nextWriteTimer !== null && clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    return x\n',
    `    const x = chunk\n    ${FORGET}    if (socket === null) {\n      const gone = Errors.connection('CONNECTION_CLOSED', options)\n      query && queryError(query, gone)\n      while (sent.length) queryError(sent.shift(), gone)\n      return false\n    }\n    return socket.write(x, fn)\n`,
  ],
  // Nobody waits for it: lost with its connection, it would end the process.
  ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => undefined)\n'],
  // In terminate() and in closed().
  ['    clearImmediate(nextWriteTimer)\n    if (socket) {\n', `    ${FORGET}    if (socket) {\n`],
  [
    "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
    `    ${FORGET}    socket.removeListener('data', data)\n`,
  ],
];

// What is required, and its twin for those who import.
const cjs = path.join(path.dirname(require.resolve('postgres')), 'connection.js');
for (const file of [cjs, cjs.replace(path.join('cjs', 'src'), 'src')]) {
  const original = fs.readFileSync(file, 'utf8');
  let text = original;
  for (const [from, to] of MENDS) {
    if (text.includes(to)) continue;
    if (!text.includes(from))
      throw new Error(
        `Expected ${file} to be of postgres 3.4.9, got another one: see whether mend-postgres.js can go.`,
      );
    text = text.replace(from, () => to);
  }
  if (text === original) continue;
  // Whole or not at all: several builds may run side by side.
  fs.writeFileSync(`${file}.${process.pid}`, text);
  fs.renameSync(`${file}.${process.pid}`, file);
}
