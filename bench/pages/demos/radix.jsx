import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Accordion,
  Checkbox,
  ContextMenu,
  Dialog,
  DropdownMenu,
  Popover,
  RadioGroup,
  Select,
  Slider,
  Switch,
  Tabs,
  ToggleGroup,
} from 'radix-ui';

function Demo() {
  const [state, setState] = useState({
    fruit: '',
    isAccepted: false,
    density: 'default',
    isOn: false,
    volume: [30],
    tab: 'account',
    name: '',
    open: '',
    chosen: '',
    width: '100',
    aligned: 'left',
    context: '',
  });
  const set = (change) => setState((before) => ({ ...before, ...change }));
  globalThis.truth = () => state;
  return (
    <div style={{ display: 'grid', gap: 12, maxWidth: 420 }}>
      <label id="fruit">Fruit</label>
      <Select.Root value={state.fruit} onValueChange={(fruit) => set({ fruit })}>
        <Select.Trigger aria-labelledby="fruit">
          <Select.Value placeholder="Select a fruit" />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content>
            <Select.Viewport>
              {['Apple', 'Banana', 'Grape'].map((each) => (
                <Select.Item key={each} value={each}>
                  <Select.ItemText>{each}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <div>
        <Checkbox.Root id="terms" checked={state.isAccepted} onCheckedChange={(isAccepted) => set({ isAccepted })}>
          <Checkbox.Indicator>✓</Checkbox.Indicator>{' '}
        </Checkbox.Root>
        <label htmlFor="terms">Accept terms</label>
      </div>
      <RadioGroup.Root aria-label="Density" value={state.density} onValueChange={(density) => set({ density })}>
        {['default', 'compact'].map((each) => (
          <div key={each}>
            <RadioGroup.Item id={each} value={each}>
              <RadioGroup.Indicator>•</RadioGroup.Indicator>{' '}
            </RadioGroup.Item>
            <label htmlFor={each}>{each === 'default' ? 'Default' : 'Compact'}</label>
          </div>
        ))}
      </RadioGroup.Root>
      <div>
        <label htmlFor="plane">Airplane mode</label>
        <Switch.Root
          id="plane"
          checked={state.isOn}
          onCheckedChange={(isOn) => set({ isOn })}
          style={{ width: 40, height: 20 }}
        >
          <Switch.Thumb style={{ display: 'block', width: 16, height: 16, background: 'black' }} />
        </Switch.Root>
      </div>
      <Slider.Root
        value={state.volume}
        onValueChange={(volume) => set({ volume })}
        style={{ position: 'relative', display: 'flex', height: 20 }}
      >
        <Slider.Track style={{ flexGrow: 1, height: 4, background: 'silver', position: 'relative' }}>
          <Slider.Range />
        </Slider.Track>
        <Slider.Thumb aria-label="Volume" style={{ display: 'block', width: 16, height: 16, background: 'black' }} />
      </Slider.Root>
      <Tabs.Root value={state.tab} onValueChange={(tab) => set({ tab })}>
        <Tabs.List>
          <Tabs.Trigger value="account">Account</Tabs.Trigger>
          <Tabs.Trigger value="password">Password</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="account">Your account</Tabs.Content>
        <Tabs.Content value="password">Your password</Tabs.Content>
      </Tabs.Root>
      <Accordion.Root type="single" collapsible value={state.open} onValueChange={(open) => set({ open })}>
        {['Is it accessible?', 'Is it animated?'].map((each) => (
          <Accordion.Item key={each} value={each}>
            <Accordion.Header>
              <Accordion.Trigger>{each}</Accordion.Trigger>
            </Accordion.Header>
            <Accordion.Content>Yes.</Accordion.Content>
          </Accordion.Item>
        ))}
      </Accordion.Root>
      <ToggleGroup.Root
        type="single"
        aria-label="Alignment"
        value={state.aligned}
        onValueChange={(aligned) => set({ aligned })}
      >
        <ToggleGroup.Item value="left" aria-label="Left aligned">
          L
        </ToggleGroup.Item>
        <ToggleGroup.Item value="right" aria-label="Right aligned">
          R
        </ToggleGroup.Item>
      </ToggleGroup.Root>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger aria-label="Customise options">☰</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content>
            {['New Tab', 'New Window'].map((each) => (
              <DropdownMenu.Item key={each} onSelect={() => set({ chosen: each })}>
                {each}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <Popover.Root>
        <Popover.Trigger>Dimensions</Popover.Trigger>
        <Popover.Portal>
          <Popover.Content>
            <label>
              Width <input value={state.width} onChange={({ target }) => set({ width: target.value })} />
            </label>
            <Popover.Close aria-label="Close">×</Popover.Close>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <ContextMenu.Root>
        <ContextMenu.Trigger style={{ background: '#eee', padding: 12 }}>Right-click area</ContextMenu.Trigger>
        <ContextMenu.Portal>
          <ContextMenu.Content>
            {['Back', 'Reload'].map((each) => (
              <ContextMenu.Item key={each} onSelect={() => set({ context: each })}>
                {each}
              </ContextMenu.Item>
            ))}
          </ContextMenu.Content>
        </ContextMenu.Portal>
      </ContextMenu.Root>
      <Dialog.Root>
        <Dialog.Trigger>Edit profile</Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay style={{ position: 'fixed', inset: 0, background: '#0008' }} />
          <Dialog.Content style={{ position: 'fixed', top: 100, left: 100, background: 'white', padding: 20 }}>
            <Dialog.Title>Edit profile</Dialog.Title>
            <Dialog.Description>Say who you are.</Dialog.Description>
            <label>
              Name <input id="name" />
            </label>
            <Dialog.Close onClick={() => set({ name: document.getElementById('name').value })}>
              Save changes
            </Dialog.Close>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </div>
  );
}

createRoot(document.getElementById('root')).render(<Demo />);
