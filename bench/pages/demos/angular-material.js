import '@angular/compiler';
import { Component, provideZonelessChangeDetection, ChangeDetectorRef, inject } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { MatAutocompleteModule } from '@angular/material/autocomplete';
import { MatButtonModule } from '@angular/material/button';
import { MatButtonToggleModule } from '@angular/material/button-toggle';
import { MatCheckboxModule } from '@angular/material/checkbox';
import { MatChipsModule } from '@angular/material/chips';
import { provideNativeDateAdapter } from '@angular/material/core';
import { MatDatepickerModule } from '@angular/material/datepicker';
import { MatExpansionModule } from '@angular/material/expansion';
import { MatInputModule } from '@angular/material/input';
import { MatMenuModule } from '@angular/material/menu';
import { MatRadioModule } from '@angular/material/radio';
import { MatSelectModule } from '@angular/material/select';
import { MatSlideToggleModule } from '@angular/material/slide-toggle';
import { MatTabsModule } from '@angular/material/tabs';
import '@angular/material/prebuilt-themes/indigo-pink.css';

const truth = {
  name: '',
  food: '',
  toppings: [],
  isChecked: false,
  season: '',
  isOn: false,
  day: '',
  tab: 0,
  chosen: '',
  font: '',
  city: '',
  chip: '',
  isOpen: false,
};
globalThis.truth = () => truth;

class Demo {
  truth = truth;
  cities = ['Lima', 'Oslo', 'Quito'];
  set(change) {
    Object.assign(truth, change);
    this.changes.markForCheck();
  }
  toDay(date) {
    return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
  }
  changes = inject(ChangeDetectorRef);
}

Component({
  selector: 'app-root',
  imports: [
    MatAutocompleteModule,
    MatButtonModule,
    MatButtonToggleModule,
    MatCheckboxModule,
    MatChipsModule,
    MatDatepickerModule,
    MatExpansionModule,
    MatInputModule,
    MatMenuModule,
    MatRadioModule,
    MatSelectModule,
    MatSlideToggleModule,
    MatTabsModule,
  ],
  template: `
    <mat-form-field><mat-label>Name</mat-label><input matInput (input)="set({ name: $event.target.value })" /></mat-form-field>
    <mat-form-field><mat-label>Favourite food</mat-label>
      <mat-select (selectionChange)="set({ food: $event.value })">
        <mat-option value="steak">Steak</mat-option><mat-option value="pizza">Pizza</mat-option><mat-option value="tacos">Tacos</mat-option>
      </mat-select></mat-form-field>
    <mat-form-field><mat-label>Toppings</mat-label>
      <mat-select multiple (selectionChange)="set({ toppings: $event.value })">
        @for (each of ['Mushroom', 'Onion', 'Tomato']; track each) { <mat-option [value]="each">{{ each }}</mat-option> }
      </mat-select></mat-form-field>
    <mat-form-field><mat-label>City</mat-label>
      <input matInput [matAutocomplete]="auto" />
      <mat-autocomplete #auto="matAutocomplete" (optionSelected)="set({ city: $event.option.value })">
        @for (each of cities; track each) { <mat-option [value]="each">{{ each }}</mat-option> }
      </mat-autocomplete></mat-form-field>
    <mat-form-field><mat-label>Choose a date</mat-label>
      <input matInput [matDatepicker]="picker" (dateChange)="set({ day: toDay($event.value) })" />
      <mat-datepicker-toggle matIconSuffix [for]="picker" /><mat-datepicker #picker /></mat-form-field>
    <p><mat-checkbox (change)="set({ isChecked: $event.checked })">Check me</mat-checkbox></p>
    <mat-radio-group aria-label="Season" (change)="set({ season: $event.value })">
      <mat-radio-button value="winter">Winter</mat-radio-button><mat-radio-button value="summer">Summer</mat-radio-button>
    </mat-radio-group>
    <p><mat-slide-toggle (change)="set({ isOn: $event.checked })">Slide me</mat-slide-toggle></p>
    <mat-button-toggle-group aria-label="Font style" (change)="set({ font: $event.value })">
      <mat-button-toggle value="bold">Bold</mat-button-toggle><mat-button-toggle value="italic">Italic</mat-button-toggle>
    </mat-button-toggle-group>
    <mat-chip-listbox aria-label="Fish" (change)="set({ chip: $event.value })">
      <mat-chip-option value="koi">Koi</mat-chip-option><mat-chip-option value="guppy">Guppy</mat-chip-option>
    </mat-chip-listbox>
    <mat-tab-group (selectedIndexChange)="set({ tab: $event })">
      <mat-tab label="First">Content 1</mat-tab><mat-tab label="Second">Content 2</mat-tab>
    </mat-tab-group>
    <mat-expansion-panel (opened)="set({ isOpen: true })">
      <mat-expansion-panel-header><mat-panel-title>Personal data</mat-panel-title></mat-expansion-panel-header>
      <p>None.</p>
    </mat-expansion-panel>
    <button mat-button [matMenuTriggerFor]="menu">Menu</button>
    <mat-menu #menu="matMenu">
      <button mat-menu-item (click)="set({ chosen: 'one' })">Item 1</button><button mat-menu-item (click)="set({ chosen: 'two' })">Item 2</button>
    </mat-menu>`,
})(Demo);

document.getElementById('root').innerHTML = '<app-root></app-root>';
await bootstrapApplication(Demo, { providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()] });
