import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Accordion,
  AccordionDetails,
  AccordionSummary,
  Autocomplete,
  Button,
  Checkbox,
  Chip,
  Dialog,
  DialogActions,
  DialogTitle,
  FormControl,
  FormControlLabel,
  FormLabel,
  IconButton,
  InputLabel,
  Menu,
  MenuItem,
  Radio,
  RadioGroup,
  Rating,
  Select,
  Slider,
  Switch,
  Tab,
  Tabs,
  TextField,
} from '@mui/material';

const FILMS = ['Casablanca', 'Metropolis', 'Nosferatu', 'Solaris', 'Stalker', 'Vertigo'];

function Demo() {
  const [state, setState] = useState({
    name: '',
    age: '',
    film: null,
    isAccepted: false,
    delivery: 'standard',
    isNotified: false,
    volume: 30,
    tab: 0,
    rating: 2,
    answer: '',
    chosen: '',
    tags: ['Red', 'Green'],
    isExpanded: false,
    removed: 0,
  });
  const [isOpen, setOpen] = useState(false);
  const [anchor, setAnchor] = useState(null);
  const set = (change) => setState((before) => ({ ...before, ...change }));
  const choose = (chosen) => () => {
    set({ chosen });
    setAnchor(null);
  };
  const answer = (said) => () => {
    set({ answer: said });
    setOpen(false);
  };
  globalThis.truth = () => state;
  return (
    <div style={{ display: 'grid', gap: 12, maxWidth: 420 }}>
      <TextField label="Name" value={state.name} onChange={({ target }) => set({ name: target.value })} />
      <FormControl>
        <InputLabel id="age">Age</InputLabel>
        <Select labelId="age" label="Age" value={state.age} onChange={({ target }) => set({ age: target.value })}>
          <MenuItem value="10">Ten</MenuItem>
          <MenuItem value="20">Twenty</MenuItem>
          <MenuItem value="30">Thirty</MenuItem>
        </Select>
      </FormControl>
      <Autocomplete
        options={FILMS}
        value={state.film}
        onChange={(_, film) => set({ film })}
        renderInput={(props) => <TextField {...props} label="Film" />}
      />
      <FormControlLabel
        control={<Checkbox checked={state.isAccepted} onChange={({ target }) => set({ isAccepted: target.checked })} />}
        label="I accept the terms"
      />
      <FormControl>
        <FormLabel>Delivery</FormLabel>
        <RadioGroup row value={state.delivery} onChange={({ target }) => set({ delivery: target.value })}>
          <FormControlLabel value="standard" control={<Radio />} label="Standard" />
          <FormControlLabel value="express" control={<Radio />} label="Express" />
        </RadioGroup>
      </FormControl>
      <FormControlLabel
        control={<Switch checked={state.isNotified} onChange={({ target }) => set({ isNotified: target.checked })} />}
        label="Notifications"
      />
      <div>
        <span id="volume">Volume</span>
        <Slider aria-labelledby="volume" value={state.volume} onChange={(_, volume) => set({ volume })} />
      </div>
      <Rating name="stars" value={state.rating} onChange={(_, rating) => set({ rating })} />
      <Tabs value={state.tab} onChange={(_, tab) => set({ tab })}>
        <Tab label="Overview" />
        <Tab label="Orders" />
      </Tabs>
      <div>
        {state.tags.map((tag) => (
          <Chip key={tag} label={tag} onDelete={() => set({ tags: state.tags.filter((other) => other !== tag) })} />
        ))}
      </div>
      <Accordion expanded={state.isExpanded} onChange={(_, isExpanded) => set({ isExpanded })}>
        <AccordionSummary>Shipping</AccordionSummary>
        <AccordionDetails>Three days</AccordionDetails>
      </Accordion>
      <IconButton aria-label="remove" onClick={() => set({ removed: state.removed + 1 })}>
        <svg width="20" height="20">
          <path d="M2 2h16v16h-16z" />
        </svg>
      </IconButton>
      <p>Removed: {state.removed}</p>
      <Button onClick={({ currentTarget }) => setAnchor(currentTarget)}>Account</Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={choose('profile')}>Profile</MenuItem>
        <MenuItem onClick={choose('logout')}>Logout</MenuItem>
      </Menu>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)}>
        <DialogTitle>Really delete?</DialogTitle>
        <DialogActions>
          <Button onClick={answer('no')}>Disagree</Button>
          <Button onClick={answer('yes')}>Agree</Button>
        </DialogActions>
      </Dialog>
    </div>
  );
}

createRoot(document.getElementById('root')).render(<Demo />);
