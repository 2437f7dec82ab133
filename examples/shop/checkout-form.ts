import { html } from 'hono/html';
import { z } from 'zod';
import { itemsOf, totalOf } from './cart';
import { priceText } from './catalogue';
import { formText } from './form-text';
import { layout, type Html } from './layout';
import type { Visitor } from './visitors';

export const EXPRESS_PRICE = 9;

const required = (message: string) => z.string({ error: message }).trim().min(1, message);

export const CheckoutFormSchema = z.object({
  nonce: z.string().default(''),
  fullName: required('Enter your full name'),
  address: required('Enter your address'),
  cardNumber: required('Enter your card number')
    .transform((text) => text.replaceAll(/[\s-]/g, ''))
    .pipe(z.string().regex(/^(\d{12,19})?$/, 'A card number has 12 to 19 digits')),
  shipping: z.enum(['standard', 'express'], { error: 'Choose how to ship' }),
  terms: z.literal('yes', { error: 'Accept the terms to go on' }),
});

type Field = keyof z.input<typeof CheckoutFormSchema>;

interface CheckoutForm {
  nonce: string;
  values: Partial<Record<Field, unknown>>;
  problems: Partial<Record<Field, string[]>>;
}

/** Renders the form without the browser's own validation, so that the server's messages show. */
export function checkoutPage(visitor: Visitor, { nonce, values, problems }: CheckoutForm): Html {
  const messages = Object.values(problems).flatMap((each) => each.slice(0, 1));
  return layout({
    title: 'Checkout',
    visitor,
    body: html`<section class="card narrow">
      <h1>Checkout</h1>
      ${messages.length === 0 ? '' : problemList(messages)}
      <p>
        Total before shipping:
        <strong>${priceText(totalOf(itemsOf(visitor.checkouts.get(nonce) ?? visitor.cart)))}</strong>
      </p>
      <form method="post" action="/orders" class="stack" novalidate>
        <input type="hidden" name="nonce" value="${nonce}" />
        ${textField({ name: 'fullName', label: 'Full name', autocomplete: 'name' })}
        ${textField({ name: 'address', label: 'Address', autocomplete: 'street-address' })}
        ${textField({ name: 'cardNumber', label: 'Card number', autocomplete: 'cc-number' })}
        <fieldset role="radiogroup" aria-labelledby="shipping">
          <legend id="shipping">Shipping</legend>
          ${radio('standard', 'Standard', 'free')} ${radio('express', 'Express', `${priceText(EXPRESS_PRICE)}`)}
        </fieldset>
        <div class="choice">
          <input id="terms" name="terms" type="checkbox" value="yes" ${values.terms === 'yes' ? 'checked' : ''} />
          <label for="terms">I accept the terms</label>
        </div>
        ${problemOf('terms')}
        <button>Place order</button>
      </form>
    </section>`,
  });

  function textField({ name, label, autocomplete }: { name: Field; label: string; autocomplete: string }): Html {
    const described = problems[name] === undefined ? '' : html`aria-invalid="true" aria-describedby="${name}-problem"`;
    return html`<label for="${name}">${label}</label>
      <input
        id="${name}"
        name="${name}"
        value="${formText(values[name])}"
        autocomplete="${autocomplete}"
        ${described}
      />
      ${problemOf(name)}`;
  }

  function radio(value: string, label: string, price: string): Html {
    const isChosen = (values.shipping ?? 'standard') === value;
    return html`<div class="choice">
      <input id="${value}" name="shipping" type="radio" value="${value}" ${isChosen ? 'checked' : ''} />
      <label for="${value}">${label}</label><span class="quiet">${price}</span>
    </div>`;
  }

  function problemOf(name: Field): Html | string {
    const [message] = problems[name] ?? [];
    return message === undefined ? '' : html`<p class="problem" id="${name}-problem">${message}</p>`;
  }
}

function problemList(messages: string[]): Html {
  return html`<div class="alert" role="alert">
    <p>The order was not placed:</p>
    <ul>
      ${messages.map((message) => html`<li>${message}</li>`)}
    </ul>
  </div>`;
}
