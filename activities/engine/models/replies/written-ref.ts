import { walkNodes, type PageNode, type PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { isControlRole } from '../../../../contracts/commands/role-selector';
import { refIn } from '../../../../rules/page-text/durable-target';

/** A line of a page as it is shown, or its beginning: `button "Save"`. */
const LINE = /^-?\s*([a-z]+) "(.+)"$/;

/**
 * The ref that a model names an element by: in any of the ways in which a page shows it, or by the name of a control that no
 * other control of the page has. Undefined for a selector, and for a name that fits several.
 */
export function writtenRef(written: string, snapshot: PageSnapshot): string | undefined {
  const text = written.trim();
  const shown = refIn(text.replaceAll(/^[\s"'`[@#]+|[\s"'`\]]+$/g, '').replace(/^ref\s*[:=]?\s*/, ''));
  const bracketed = /\[(?:ref=)?((?:f\d+)?e\d+)\]/.exec(text)?.[1];
  const ref = shown ?? bracketed;
  if (ref !== undefined) return ref;
  const [, role, named = text.replaceAll(/^["'“]|["'”]$/g, '')] = LINE.exec(text) ?? [];
  const nodes = [...walkNodes(snapshot.nodes)].map(({ node }) => node);
  const controls = nodes.filter((node) => isNamed(node, named, role));
  // What was left out of a long list may have the same name.
  const isWhole = nodes.every(({ omitted }) => omitted === undefined);
  return controls.length === 1 && isWhole ? controls[0]!.ref : undefined;
}

function isNamed({ ref, name, role, cursor }: PageNode, wanted: string, wantedRole: string | undefined): boolean {
  if (ref === undefined || name === undefined || !(isControlRole(role) || cursor === 'pointer')) return false;
  return plain(name) === plain(wanted) && (wantedRole === undefined || role === wantedRole);
}

function plain(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
