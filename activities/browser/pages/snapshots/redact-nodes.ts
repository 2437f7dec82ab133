import type { PageNode } from '../../../../contracts/browsers/page-snapshot';
import type { SessionValues } from '../../../secrets/session-values';

type Node = PageNode | string;

/** Read one after the other: a secret may begin in one of them and end in another node's. */
const READ_TOGETHER = ['name', 'text', 'value'] as const;
const READ_ALONE = ['placeholder', 'url', 'description', 'unreachable'] as const;

/** Redacts only the page's content: a password that equals a role's name must not remove the roles. */
export function redactNodes(nodes: readonly Node[], values: SessionValues): Node[] {
  const redacted = values.redactTogether(nodes.flatMap(textsOf)).values();
  const redactNode = (node: Node): Node => {
    if (typeof node === 'string') return redacted.next().value ?? '';
    const { box: _box, ...shown }: PageNode = { ...node };
    for (const key of READ_TOGETHER) if (shown[key] !== undefined) shown[key] = redacted.next().value ?? '';
    for (const key of READ_ALONE) if (shown[key] !== undefined) shown[key] = values.redact(shown[key]);
    if (typeof node.invalid === 'string') shown.invalid = values.redact(node.invalid);
    for (const key of ['locator', 'acts', 'anchor', 'attributes'] as const)
      if (node[key] !== undefined) Object.assign(shown, { [key]: values.redactAll(node[key]) });
    if (node.children !== undefined) shown.children = node.children.map(redactNode);
    return shown;
  };
  return nodes.map(redactNode);
}

/** In the order in which they are put back. */
function textsOf(node: Node): string[] {
  if (typeof node === 'string') return [node];
  return [...READ_TOGETHER.flatMap((key) => node[key] ?? []), ...(node.children ?? []).flatMap(textsOf)];
}
