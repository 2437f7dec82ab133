import type { Sentences } from './sentences';

/** Steps in words of no fixed form: the control, its entry and its place account for every word, or nothing is done. */
export const WORDS: Sentences = {
  household: [
    ['remove butter', 'click #remove-butter'],
    ['remove the cheese', 'refuses'],
    ['delete row 2', 'asks'],
    ['delete the second customer', 'click #delete-smith'],
    ['delete the customer in Wien', 'click #delete-bergmann'],
    ['delete the customer Smith & Sons', 'click #delete-smith'],
    ['Delete the customer Maier', 'refuses'],
    ['Edit Berg', 'click #edit-berg'],
    ['Please press Edit.', 'asks'],
    ['Could you please delete the task about the plants?', 'click #delete-plants'],
    ['Please download the February invoice for me.', 'click #february'],
    ['download the invoice of March', 'click #march'],
    ['download the April invoice', 'refuses'],
    ['dark mode on', 'check #dark'],
    ['tick terms, place order', 'check #terms; click #place'],
    ['Please go ahead and press the Place order button.', 'click #place'],
    ['click the New customer button at the top right', 'refuses'],
    ['In the Customer field, enter Smith & Sons.', 'type #customer Smith & Sons'],
    ['enter Bob in Customer in Reference', 'refuses'],
    ['Type "4711" into the Member number field and "x" into Passphrase', 'type #member 4711; type #passphrase x'],
    ['Replace “a” with “A. Berg” in “Reference”', 'type #reference A. Berg'],
    ['When I click the "Place order" button Then I should see "Household"', 'click #place; expect Household'],
  ],
};
