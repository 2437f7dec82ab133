import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Combobox,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Dialog,
  DialogPanel,
  DialogTitle,
  Disclosure,
  DisclosureButton,
  DisclosurePanel,
  Field,
  Label,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
  Menu,
  MenuButton,
  MenuItem,
  MenuItems,
  Radio,
  RadioGroup,
  Switch,
  Tab,
  TabGroup,
  TabList,
  TabPanel,
  TabPanels,
} from '@headlessui/react';

const PEOPLE = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Mary Shelley'];

function Demo() {
  const [state, setState] = useState({
    assignee: PEOPLE[0],
    person: '',
    isOn: false,
    plan: 'Startup',
    tab: 0,
    chosen: '',
    isPaid: false,
  });
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const set = (change) => setState((before) => ({ ...before, ...change }));
  globalThis.truth = () => ({ ...state, isDisclosed: document.getElementById('refunds') !== null });
  const fitting = PEOPLE.filter((each) => each.toLowerCase().includes(query.toLowerCase()));
  return (
    <div style={{ display: 'grid', gap: 12, maxWidth: 420 }}>
      <Field>
        <Label>Assignee</Label>
        <Listbox value={state.assignee} onChange={(assignee) => set({ assignee })}>
          <ListboxButton>{state.assignee}</ListboxButton>
          <ListboxOptions>
            {PEOPLE.map((each) => (
              <ListboxOption key={each} value={each}>
                {each}
              </ListboxOption>
            ))}
          </ListboxOptions>
        </Listbox>
      </Field>
      <Field>
        <Label>Person</Label>
        <Combobox value={state.person} onChange={(person) => set({ person })}>
          <ComboboxInput onChange={({ target }) => setQuery(target.value)} />
          <ComboboxOptions>
            {fitting.map((each) => (
              <ComboboxOption key={each} value={each}>
                {each}
              </ComboboxOption>
            ))}
          </ComboboxOptions>
        </Combobox>
      </Field>
      <Field>
        <Label>Enable beta</Label>
        <Switch checked={state.isOn} onChange={(isOn) => set({ isOn })} style={{ width: 40, height: 20 }} />
      </Field>
      <RadioGroup value={state.plan} onChange={(plan) => set({ plan })} aria-label="Plan">
        {['Startup', 'Business', 'Enterprise'].map((each) => (
          <Field key={each}>
            <Radio value={each}>◉ </Radio>
            <Label>{each}</Label>
          </Field>
        ))}
      </RadioGroup>
      <TabGroup selectedIndex={state.tab} onChange={(tab) => set({ tab })}>
        <TabList>
          <Tab>Recent</Tab>
          <Tab>Popular</Tab>
        </TabList>
        <TabPanels>
          <TabPanel>New</TabPanel>
          <TabPanel>Liked</TabPanel>
        </TabPanels>
      </TabGroup>
      <Disclosure>
        <DisclosureButton>What is the refund policy?</DisclosureButton>
        <DisclosurePanel id="refunds">Thirty days.</DisclosurePanel>
      </Disclosure>
      <Menu>
        <MenuButton>Options</MenuButton>
        <MenuItems>
          {['Duplicate', 'Archive'].map((each) => (
            <MenuItem key={each}>
              <button onClick={() => set({ chosen: each })}>{each}</button>
            </MenuItem>
          ))}
        </MenuItems>
      </Menu>
      <button onClick={() => setOpen(true)}>Pay</button>
      <Dialog open={isOpen} onClose={() => setOpen(false)}>
        <DialogPanel>
          <DialogTitle>Pay 10 EUR?</DialogTitle>
          <button
            onClick={() => {
              set({ isPaid: true });
              setOpen(false);
            }}
          >
            Confirm
          </button>
          <button onClick={() => setOpen(false)}>Cancel</button>
        </DialogPanel>
      </Dialog>
    </div>
  );
}

createRoot(document.getElementById('root')).render(<Demo />);
