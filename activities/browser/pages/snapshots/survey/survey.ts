import type { ControlActs } from '../../../../../contracts/browsers/control-acts';
import type { Arrangement } from './arrangement';
import type { Locator } from './path-to';
import type { ControlState } from './state-of';

/** A control, or an element that needs a locator. */
export interface SurveyedElement extends Partial<ControlState> {
  ref: string;
  locator?: Locator | undefined;
  /** Why a click would not reach it. */
  unreachable?: string | undefined;
  /** A name for an element that has no accessible one. */
  label?: string | undefined;
  /** Attributes by which it is found again under another name. */
  attributes?: Record<string, string> | undefined;
  acts?: ControlActs | undefined;
  /** Digest of what is drawn around it. */
  drawing?: string | undefined;
  isClickable?: true;
  ariaHidden?: true;
  /** Present where the tree does not have the element: its role, text, and place in the tree. */
  missing?: Missing;
}

export interface Missing {
  role: string;
  text: string;
  /** The nearest element of the tree around it, and the last one of the tree before it. */
  within: string | undefined;
  after: string | undefined;
  /** The nearest other missing element around it, where no element of the tree is between them. */
  inside: string | undefined;
  /** Elements of the tree that are in it, and in no other of the tree within it. */
  holds: string[];
}

export interface Survey extends Arrangement {
  elements: SurveyedElement[];
  /** Refs of the tree that no element of the document has any more. */
  gone: string[];
  /** Refs of what the last click on the frame changed, and of the nearest element with a ref around it. */
  changedByClick: string[];
  /** Refs of elements in whose text two words may stand as one, with the text as it is seen. */
  texts: [ref: string, text: string][];
  /** Refs of elements whose own text is drawn as a message is. */
  notices: string[];
  /** Ref, role and start of the name of each element that a role selector may match, in the order of its matches. */
  named: [ref: string, role: string, name: string][];
}
