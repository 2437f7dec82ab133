import type { PageNode, PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { MAX_OUTPUT } from '../../../../contracts/commands/definitions/members';
import type { snapshotCommands } from '../../../../contracts/commands/definitions/snapshots';
import { goalWords } from '../../../../rules/page-text/goal-words';
import { placeWords } from '../../../../rules/page-text/place-words';
import { pageText } from '../../../../rules/page-text/page-text';
import { findMatchingElements } from '../../pages/matching-elements';
import { snapshotOptionsFor } from '../../pages/snapshots/snapshot-options';
import { takeSnapshot } from '../../pages/snapshots/take-snapshot';
import type { CommandContext, CommandHandlers } from './command-handler';

export const snapshotHandlers: CommandHandlers<typeof snapshotCommands> = {
  /** Nothing to do: the answer of every command carries the DOM (S1.R11). */
  async GET_DOM() {},

  async READ_PAGE(context) {
    const { filter = 'all', maxCharacters = MAX_OUTPUT } = context.parameters;
    const { store, sessionId } = context.batch;
    const { words } = await snapshotOptionsFor(store, sessionId);
    const snapshot = await takeSnapshotForModel(context, words);
    const shown = filter === 'interactive' ? { ...snapshot, nodes: interactiveNodes(snapshot.nodes) } : snapshot;
    return { output: pageText(shown, maxCharacters, words, 'find') };
  },

  async FIND_ELEMENTS(context) {
    const { query } = context.parameters;
    const snapshot = await takeSnapshotForModel(context, goalWords([query]));
    const matches = findMatchingElements(snapshot, query);
    if (matches.length === 0)
      return { output: `Nothing on ${snapshot.url} matches “${query}”. Read the page to see what there is.` };
    const lines = matches.map(({ line, within }) => `- ${line}${within === '' ? '' : ` (in ${within})`}`);
    const count = `${matches.length} match${matches.length === 1 ? '' : 'es'}`;
    return { output: [`${count} for “${query}”:`, ...lines].join('\n') };
  },
};

/** Takes the snapshot whose refs the model uses from now on, until it is shown another. */
async function takeSnapshotForModel(
  { batch, attachment }: CommandContext<'READ_PAGE' | 'FIND_ELEMENTS'>,
  words: readonly string[],
): Promise<PageSnapshot> {
  const { store, sessionId, values } = batch;
  const snapshot = await takeSnapshot(attachment, values, { words });
  await store.memory.saveShownSnapshot(sessionId, snapshot);
  return snapshot;
}

const INTERACTIVE_ROLES = new Set(
  'button link textbox searchbox checkbox radio combobox listbox option switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio treeitem'.split(
    ' ',
  ),
);

/**
 * Elements that can be used, with the groups that contain them, and headings where equal elements are there. A group that
 * distinguishes its controls from equal ones elsewhere has its words for a name.
 */
function interactiveNodes(nodes: readonly (PageNode | string)[]): (PageNode | string)[] {
  const words = new Map([...placeWords(nodes).values()].map((place) => [place.item, place.words]));
  const parts = (node: PageNode | string): (PageNode | string)[] => {
    if (typeof node === 'string') return [];
    const { role, cursor, omitted, name = '' } = node;
    if (INTERACTIVE_ROLES.has(role) || cursor === 'pointer' || omitted !== undefined) return [node];
    const children = (node.children ?? []).flatMap(parts);
    if (children.length === 0) return role === 'heading' && words.size > 0 ? [node] : [];
    const said = words.get(node);
    const named = said === undefined || name !== '' ? {} : { name: said };
    return [{ ...node, ...named, children }];
  };
  return nodes.flatMap(parts);
}
