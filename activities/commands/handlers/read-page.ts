import type { PageSnapshot, PageNode } from '../../../contracts/browsers/page-snapshot';
import { MAX_OUTPUT } from '../../../contracts/commands/definitions/members';
import { goalWords } from '../../page-text/goal-words';
import { pageText } from '../../page-text/page-text';
import { takeSnapshot } from '../../pages/snapshots/take-snapshot';
import { findMatchingElements } from '../../pages/matching-elements';
import { snapshotOptionsFor } from '../../pages/snapshots/snapshot-options';
import { titleOf } from '../../pages/page-title';
import type { CommandHandler, CommandContext } from './command-handler';

/** The refs that a model is shown are those of this look, until it is shown another. */
async function takeSnapshotForModel(
  { batch, attachment }: CommandContext,
  words: readonly string[],
): Promise<PageSnapshot> {
  const { store, sessionId, values } = batch;
  const look = await takeSnapshot(attachment, values, { words });
  await store.memory.saveShownSnapshot(sessionId, look);
  return look;
}

export const readPage: CommandHandler = async (scene) => {
  const { filter = 'all', maxCharacters = MAX_OUTPUT } = scene.parameters;
  const { store, sessionId } = scene.batch;
  const { words } = await snapshotOptionsFor(store, sessionId);
  const look = await takeSnapshotForModel(scene, words);
  const shown = filter === 'interactive' ? { ...look, nodes: look.nodes.flatMap(interactiveParts) } : look;
  return { output: pageText(shown, maxCharacters, words) };
};

export const findElements: CommandHandler = async (scene) => {
  const query = scene.parameters.query ?? '';
  const look = await takeSnapshotForModel(scene, goalWords([query]));
  const matches = findMatchingElements(look, query);
  const told = matches.map(({ line, within }) => `- ${line}${within === '' ? '' : ` (in ${within})`}`);
  return {
    output:
      matches.length === 0
        ? `Nothing on ${look.url} matches “${query}”. Read the page to see what there is.`
        : [`${matches.length} match${matches.length === 1 ? '' : 'es'} for “${query}”:`, ...told].join('\n'),
  };
};

export const listTabs: CommandHandler = async ({ attachment, page }) => {
  const told = attachment.tabs.map(async (tab, index) => {
    const title = await titleOf(tab);
    return `${index + 1}${tab === page ? ' (this one)' : ''}: ${title} ${tab.url()}`;
  });
  return { output: (await Promise.all(told)).join('\n') };
};

const INTERACTIVE_ROLES = new Set(
  'button link textbox searchbox checkbox radio combobox listbox option switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio treeitem'.split(
    ' ',
  ),
);

/** What can be used, with the parts that it stands in. */
function interactiveParts(node: PageNode | string): (PageNode | string)[] {
  if (typeof node === 'string') return [];
  if (INTERACTIVE_ROLES.has(node.role) || node.cursor === 'pointer' || node.omitted !== undefined) return [node];
  const children = (node.children ?? []).flatMap(interactiveParts);
  return children.length === 0 ? [] : [{ ...node, children }];
}
