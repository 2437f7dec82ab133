/** What a person sees of a control beyond its role, name and text. */
export interface ControlState {
  /** States without a value, such as `readonly`, and kinds of use, such as `draggable`. */
  states: string[];
  value?: string;
  description?: string;
  /** The message of an invalid field, or true. */
  invalid?: string | true;
  disabled?: true;
  checked?: boolean | 'mixed';
  expanded?: boolean;
  pressed?: boolean | 'mixed';
  selected?: boolean;
}

/** Runs in an isolated world. `kinds` is what the element has handlers for. A password's value is never read. */
export function stateOf(element: Element, kinds: number, handled: Record<string, number>): ControlState {
  const field = element as HTMLInputElement;
  const isField = element.matches('input, select, textarea');
  const aria = (name: string): string | null => element.getAttribute(`aria-${name}`);
  const textOf = (ids: string | null): string =>
    (ids ?? '')
      .split(/\s+/)
      .map((id) => (element.getRootNode() as Document | ShadowRoot).getElementById?.(id)?.textContent ?? '')
      .join(' ')
      .trim()
      .replaceAll(/\s+/g, ' ')
      .slice(0, 160);
  const states: string[] = [];
  const state: ControlState = { states };
  const has = (kind: string): boolean => (kinds & handled[kind]!) !== 0;

  if (
    element.matches(
      'input:is([type=password], [type=file], [type=date], [type=time], [type=datetime-local], [type=month], [type=week], [type=color], [type=email], [type=tel], [type=url])',
    )
  )
    states.push(`type=${field.type}`);
  // Monaco takes the text beside this area, which is for input methods.
  const isReadOnly = isField && field.readOnly && !element.matches('.monaco-editor .ime-text-area');
  if (isReadOnly || aria('readonly') === 'true') states.push('readonly');
  if ((isField && field.required) || aria('required') === 'true') states.push('required');
  if (element.matches('[multiple], [aria-multiselectable=true]')) states.push('multiple');
  if (element.matches('textarea, [aria-multiline=true]')) states.push('multiline');
  const popup = aria('haspopup');
  if (popup !== null && popup !== 'false') states.push(popup === 'listbox' ? 'popup=listbox' : 'popup');
  const current = aria('current');
  if (current !== null && current !== 'false') states.push('current');
  if (aria('busy') === 'true') states.push('busy');
  if ((element as HTMLElement).isContentEditable) states.push('editable');
  if ((element as HTMLElement).draggable && !element.matches('a, img')) states.push('draggable');
  else if (has('drag')) states.push('draggable');
  if (has('drop')) states.push('drop area');
  if (has('context') && !isField && !element.matches('a, button, [role=button], [role=tab]'))
    states.push('right-click');
  if (has('double')) states.push('double-click');
  if (element.matches('canvas')) states.push('canvas');
  // The handle of a slider without a role: keys move it.
  if (
    element.matches('[tabindex]:not([role])') &&
    /(?:slider|range)[-_]*(?:handle|thumb|knob)/i.test(element.className)
  )
    states.push('slider');

  if (aria('invalid') !== null && !['', 'false'].includes(aria('invalid')!))
    state.invalid = textOf(aria('errormessage')) || true;
  else if (isField && element.matches(':user-invalid')) state.invalid = field.validationMessage || true;
  const isSecret = element.matches('[type=password]');
  const now = aria('valuetext') ?? aria('valuenow');
  if (now !== null && now !== '') state.value = now.slice(0, 160);
  else if (element.matches('input[type=range], input[type=color], progress, meter')) state.value = String(field.value);
  else if (element.matches('.monaco-editor textarea'))
    state.value = (element.closest('.monaco-editor')!.querySelector<HTMLElement>('.view-lines')?.innerText ?? '').slice(
      0,
      160,
    );
  else if (element.matches('input[type=file]') && (field.files?.length ?? 0) > 0)
    state.value = [...field.files!]
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 160);
  const [least, most] = [aria('valuemin') ?? field.min, aria('valuemax') ?? field.max];
  if (
    !isSecret &&
    element.matches('input[type=range], input[type=number], [role=slider], [role=spinbutton]') &&
    (least || most)
  )
    states.push(`range=${least || ''}..${most || ''}`);
  const said = aria('description') ?? textOf(aria('describedby'));
  if (said !== '') state.description = said;
  else if (element.getAttribute('title')) state.description = element.getAttribute('title')!.slice(0, 160);

  const tri = (value: string | null): boolean | 'mixed' | undefined =>
    value === 'mixed' ? value : value === null ? undefined : value === 'true';
  if (element.matches(':disabled, [aria-disabled=true]')) state.disabled = true;
  // A label stands for the control that it hides.
  const { control } = element as HTMLLabelElement;
  const input = control instanceof HTMLInputElement && /checkbox|radio/.test(control.type) ? control : field;
  const checked = /^(?:checkbox|radio)$/.test(input.type)
    ? input.indeterminate
      ? 'mixed'
      : input.checked
    : tri(aria('checked'));
  if (checked !== undefined) state.checked = checked;
  const pressed = tri(aria('pressed'));
  if (pressed !== undefined) state.pressed = pressed;
  const isOpen = element.matches('summary')
    ? (element.parentElement as HTMLDetailsElement | null)?.open === true
    : tri(aria('expanded')) === true;
  if (element.matches('summary, [aria-expanded=true], [aria-expanded=false]')) state.expanded = isOpen;
  if (aria('selected') === 'true') state.selected = true;
  return state;
}
