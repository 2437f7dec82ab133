// What may import what, made of the table of floors and rooms: `npm run check:floors`.
const { apart, compositions, floors, narrower } = require('./floors.cjs');

const names = Object.keys(floors);
const everything = [...names, 'examples', 'bench', 'scripts', 'test'];

/** Matches the files of a room; `.` is the files of the folder itself. */
const filesOf = (floor, room) =>
  /(^|\/)\.$/.test(room) ? `^${floor}/${room.slice(0, -1)}[^/]+$` : `^${floor}/${room}/`;
const startsWith = (path) => `^${path}(/|\\.|$)`;
const outside = (floor) => `^(${everything.filter((name) => name !== floor).join('|')})/`;
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

function rulesOf(floor) {
  const { imports, types = [] } = floors[floor];
  const rooms = floors[floor].rooms.split(/\s+/);
  const composing = Object.keys(compositions).filter((room) => room.startsWith(`${floor}/`));
  const from = { path: `^${floor}/`, pathNot: composing.map(startsWith) };
  return [
    rule(
      `${floor}: each room stands in scripts/floors.cjs`,
      { path: `^${floor}/`, pathNot: rooms.map((room) => filesOf(floor, room)) },
      {},
    ),
    ...rooms.map((room, at) =>
      rule(
        `${floor}/${room} imports no room that stands after it`,
        { path: filesOf(floor, room) },
        { path: `^${floor}/`, pathNot: rooms.slice(0, at + 1).map((each) => filesOf(floor, each)) },
      ),
    ),
    rule(`${floor} imports ${imports.join(', ') || 'no other floor'}`, from, {
      path: outside(floor),
      pathNot: [...imports, ...types].map(startsWith),
    }),
    ...types.map((path) =>
      rule(`${floor} takes types alone of ${path}`, from, {
        path: startsWith(path),
        dependencyTypesNot: ['type-only'],
      }),
    ),
  ];
}

module.exports = {
  forbidden: [
    rule('no circle of files', {}, { circular: true }),
    rule('nothing of the product imports tests', { pathNot: '^(test|scripts)/' }, { path: '^test/' }),
    ...names.flatMap(rulesOf),
    ...Object.entries(compositions).map(([room, more]) => {
      const [floor] = room.split('/');
      const allowed = [...floors[floor].imports, ...more].map(startsWith);
      return rule(
        `${room} also starts ${more.join(', ')}`,
        { path: startsWith(room) },
        { path: outside(floor), pathNot: allowed },
      );
    }),
    ...Object.entries(apart).map(([room, others]) =>
      rule(`${room} does without ${others.join(', ')}`, { path: startsWith(room) }, { path: others.map(startsWith) }),
    ),
    ...Object.entries(narrower).map(([room, less]) =>
      rule(
        `${room} imports ${less.join(', ')}`,
        { path: startsWith(room) },
        {
          path: `^(${everything.join('|')})/`,
          pathNot: [room, ...less].map(startsWith),
        },
      ),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|dist|docs)/' },
    // Imports of types count as well.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
