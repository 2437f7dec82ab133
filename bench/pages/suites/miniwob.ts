import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fetchMiniwob } from '../packages';
import type { Answer, Scenario, Suite } from '../scenario';
import { contentType } from '../site/content-types';

/**
 * The tasks of MiniWoB++ whose instruction is explicit: it names what to act on by what the page says of it, and the act.
 * Left out are those that ask to calculate, compare, judge shapes or colours, find an answer first, or draw. So are
 * `drag-items-grid` (a place in a picture: “up by one”), `form-sequence-2` (only its Submit button is rewarded, which the
 * instruction does not mention), and `click-tab-2-medium` (where its link does not exist, the click on a tab is rewarded).
 */
const EXPLICIT = [
  'choose-date choose-date-easy choose-date-medium choose-date-nodelay choose-list click-button',
  'click-button-sequence click-checkboxes click-checkboxes-large click-checkboxes-transfer click-collapsible',
  'click-collapsible-2 click-collapsible-2-nodelay click-collapsible-nodelay click-dialog click-dialog-2 click-link',
  'click-menu click-menu-2 click-option click-pie click-pie-nodelay click-scroll-list click-tab click-tab-2',
  'click-tab-2-easy click-tab-2-hard click-test click-test-2 click-test-transfer click-widget',
  'copy-paste copy-paste-2 email-inbox-delete email-inbox-important enter-date enter-password',
  'enter-text enter-text-2 enter-text-dynamic enter-time focus-text focus-text-2 form-sequence',
  'form-sequence-3 login-user login-user-popup navigate-tree phone-book scroll-text-2 search-engine sign-agreement',
  'social-media social-media-all unicode-test use-slider use-slider-2 use-spinner',
].flatMap((names) => names.split(' '));

const START = readFileSync(join(__dirname, 'miniwob-start.js'), 'utf8');

/** The pages of MiniWoB++ as the Python package has them. */
export function miniwob(): Suite {
  let folder: string | undefined;
  return {
    name: 'miniwob',
    serve: (path) => serveFile((folder ??= fetchMiniwob()), path),
    async scenarios({ seeds, truth, isWanted }) {
      const scenarios: Scenario[] = [];
      for (const task of EXPLICIT)
        for (let seed = 1; seed <= seeds; seed += 1) {
          const name = `${task}-${seed}`;
          if (!isWanted(name)) continue;
          const path = `miniwob/${task}.html?seed=${seed}`;
          const { utterance } = await truth(path);
          scenarios.push({
            name,
            path,
            steps: [String(utterance)],
            isTrue: ({ isDone, reward }) => isDone === true && Number(reward) > 0,
          });
        }
      return scenarios;
    },
    paths: () => EXPLICIT.map((task) => `miniwob/${task}.html?seed=1`),
  };
}

function serveFile(folder: string, path: string): Answer | undefined {
  const file = join(folder, normalize(join('/', path)));
  if (!existsSync(file) || !statSync(file).isFile()) return undefined;
  const type = contentType(path);
  const isTask = type.startsWith('text/html') && path.startsWith('miniwob/');
  if (!isTask) return { type, body: readFileSync(file) };
  return { type, body: `${readFileSync(file, 'utf8')}<script>${START}</script>` };
}
