import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Button,
  Cascader,
  Checkbox,
  DatePicker,
  Dropdown,
  Input,
  InputNumber,
  Modal,
  Popconfirm,
  Radio,
  Segmented,
  Select,
  Slider,
  Switch,
  Tabs,
  Tree,
} from 'antd';

const list = (...names) => names.map((name) => ({ value: name, label: name }));

function Demo() {
  const [state, setState] = useState({
    name: '',
    city: '',
    colours: [],
    fruits: [],
    size: 'Small',
    isOn: false,
    amount: 1,
    volume: 30,
    day: '',
    place: [],
    tab: 'one',
    view: 'List',
    chosen: '',
    isDeleted: false,
    isPublished: false,
    expanded: [],
  });
  const [isOpen, setOpen] = useState(false);
  const set = (change) => setState((before) => ({ ...before, ...change }));
  globalThis.truth = () => state;
  return (
    <div style={{ display: 'grid', gap: 12, maxWidth: 420 }}>
      <label>
        Name <Input value={state.name} onChange={({ target }) => set({ name: target.value })} />
      </label>
      <label htmlFor="city">City</label>
      <Select
        id="city"
        showSearch
        placeholder="Pick a city"
        options={list('Lima', 'Oslo', 'Quito', 'Tunis')}
        onChange={(city) => set({ city })}
      />
      <label htmlFor="colours">Colours</label>
      <Select
        id="colours"
        mode="multiple"
        options={list('Amber', 'Blue', 'Coral')}
        onChange={(colours) => set({ colours })}
      />
      <Checkbox.Group options={['Apple', 'Pear', 'Orange']} onChange={(fruits) => set({ fruits })} />
      <Radio.Group
        options={['Small', 'Large']}
        value={state.size}
        onChange={({ target }) => set({ size: target.value })}
      />
      <label htmlFor="amount">Amount</label>
      <InputNumber id="amount" value={state.amount} onChange={(amount) => set({ amount })} />
      <div>
        Night mode <Switch aria-label="Night mode" checked={state.isOn} onChange={(isOn) => set({ isOn })} />
      </div>
      <Slider
        aria-label="Volume"
        ariaLabelForHandle="Volume"
        value={state.volume}
        onChange={(volume) => set({ volume })}
      />
      <label htmlFor="day">Day</label>
      <DatePicker id="day" onChange={(_, day) => set({ day })} />
      <label htmlFor="place">Place</label>
      <Cascader
        id="place"
        options={[
          { value: 'Peru', label: 'Peru', children: list('Lima', 'Cusco') },
          { value: 'Norway', label: 'Norway', children: list('Oslo', 'Bergen') },
        ]}
        onChange={(place) => set({ place })}
      />
      <Segmented options={['List', 'Kanban']} value={state.view} onChange={(view) => set({ view })} />
      <Tabs
        activeKey={state.tab}
        onChange={(tab) => set({ tab })}
        items={[
          { key: 'one', label: 'Overview' },
          { key: 'two', label: 'Invoices' },
        ]}
      />
      <Tree
        expandedKeys={state.expanded}
        onExpand={(expanded) => set({ expanded })}
        treeData={[{ title: 'Pictures', key: 'pictures', children: [{ title: 'Summer', key: 'summer' }] }]}
      />
      <Dropdown
        menu={{
          items: [
            { key: 'copy', label: 'Copy' },
            { key: 'move', label: 'Move' },
          ],
          onClick: ({ key }) => set({ chosen: key }),
        }}
        trigger={['click']}
      >
        <Button>Actions</Button>
      </Dropdown>
      <Popconfirm title="Delete the task?" onConfirm={() => set({ isDeleted: true })} okText="Yes" cancelText="No">
        <Button danger>Delete</Button>
      </Popconfirm>
      <Button type="primary" onClick={() => setOpen(true)}>
        Publish
      </Button>
      <Modal
        title="Publish the page?"
        open={isOpen}
        onCancel={() => setOpen(false)}
        onOk={() => {
          set({ isPublished: true });
          setOpen(false);
        }}
      />
    </div>
  );
}

createRoot(document.getElementById('root')).render(<Demo />);
