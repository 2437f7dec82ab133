import type { ElementHandle, Page } from 'playwright';
import type { ChosenNode } from '../../contracts/commands/definitions/reading';
import type { JsonSchema } from '../../contracts/results/result-request';
import { EngineError } from '../activity/failures';
import { readChosenRows, type ChosenRow, type ChosenRows } from './chosen-rows';
import { isAddress } from './match-names';
import { withReaders } from './node-readers';
import type { PagePart, PageRow } from './page-data';
import { memberName, membersOf, pointer, type Leaf, type ListMember } from '../../runtime/schemas/schema-leaves';

/** What was read of the nodes that a model has chosen. Values go by the names of their members, lists by their paths. */
export interface ChosenData {
  singles: Map<string, { part: PagePart; url: string }>;
  lists: Map<string, { url: string; rows: { row: PageRow; parts: Map<string, PagePart | undefined> }[] }>;
}

/** Of a member of the schema: the value that it takes, and the list that it is in. */
interface Member {
  leaf: Leaf;
  list?: ListMember;
}

/** Reads the values of chosen nodes from the page; throws where a member or node is none. */
export async function readChosen(page: Page, schema: JsonSchema, chosen: readonly ChosenNode[]): Promise<ChosenData> {
  const members = namedMembers(schema);
  const data: ChosenData = { singles: new Map(), lists: new Map() };
  const ofLists = new Map<string, ChosenNode[]>();
  for (const node of chosen) {
    const member = members.get(node.member);
    if (member === undefined) throw unknownMember(node.member, [...members.keys()]);
    const { list, leaf } = member;
    if (list !== undefined) {
      const at = pointer(list.path);
      ofLists.set(at, [...(ofLists.get(at) ?? []), node]);
      continue;
    }
    const { url, rows } = await readRows(page, [node], [leaf], false);
    const [text] = rows[0]!.texts;
    if (text !== null && text !== undefined)
      data.singles.set(node.member, { part: { names: [node.member], ...text, ref: node.ref }, url });
  }
  for (const [at, nodes] of ofLists) {
    const leaves = nodes.map(({ member }) => members.get(member)!.leaf);
    const { url, rows } = await readRows(page, nodes, leaves, true);
    const partsOf = ({ texts, isExample }: ChosenRow) =>
      nodes.map(({ member, ref }, index): [string, PagePart | undefined] => {
        const text = texts[index] ?? undefined;
        return [member, text && { names: [member], ...text, ...(isExample ? { ref } : {}) }];
      });
    data.lists.set(at, {
      url,
      rows: rows.map((row) => {
        const { selector, kind, text } = row;
        return { row: { selector, kind, text, parts: [] }, parts: new Map(partsOf(row)) };
      }),
    });
  }
  return data;
}

function namedMembers(schema: JsonSchema): Map<string, Member> {
  const { leaves, lists } = membersOf(schema);
  return new Map<string, Member>([
    ...leaves.map((leaf): [string, Member] => [memberName(leaf.path), { leaf }]),
    ...lists.flatMap((list) =>
      membersOf(list.items, schema).leaves.map((leaf): [string, Member] => [
        memberName(list.path, leaf.path),
        { leaf, list },
      ]),
    ),
  ]);
}

/** Chosen nodes of one list are of one frame. */
async function readRows(
  page: Page,
  nodes: readonly ChosenNode[],
  leaves: readonly Leaf[],
  isList: boolean,
): Promise<ChosenRows> {
  const handles = await Promise.all(nodes.map((node) => find(page, node)));
  try {
    const frames = await Promise.all(handles.map((handle) => handle.ownerFrame()));
    const [frame] = frames;
    if (frame === null || frame === undefined || frames.some((each) => each !== frame))
      throw new EngineError('EX002', 'The chosen elements of one row are in several frames of the page.', {
        suggestedAction: 'Choose elements of one row.',
      });
    const places = handles.map((node, at) => ({
      node,
      isAddress: isAddress(leaves[at]!.member),
      attribute: nodes[at]!.attribute,
    }));
    return await frame.evaluate(withReaders(readChosenRows), { places, isList });
  } finally {
    await Promise.all(handles.map((handle) => handle.dispose().catch(() => undefined)));
  }
}

async function find(page: Page, { ref, selector, nth, of }: ChosenNode): Promise<ElementHandle<Element>> {
  const found = page.locator(selector);
  const count = await found.count();
  const handles = count === of ? await found.nth(nth).elementHandle() : null;
  if (handles === null)
    throw new EngineError(
      'EX002',
      `${ref} is not to be found on ${page.url()} as it was shown: there ${count === 1 ? 'is 1 element' : `are ${count} elements`} like it, and there were ${of}.`,
      { suggestedAction: 'Read the page again, and choose by its refs.' },
    );
  return handles as ElementHandle<Element>;
}

function unknownMember(name: string, names: readonly string[]): EngineError {
  return new EngineError(
    'SM002',
    `values: what the task is to return has no value “${name}”; it has ${names.join(', ')}.`,
    { suggestedAction: 'Name its members as the schema does.' },
  );
}
