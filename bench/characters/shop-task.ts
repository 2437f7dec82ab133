/** An order in the demo shop as one task. `${password}` is a variable of the session. */
export const SHOP_TASK =
  'Type "ada" into Username and "${password}" into Password and click "Sign in". Search for "trail", then click the ' +
  '"Trail Shoe" link. Choose "M" in Size and click "Add to cart". Click "Checkout". Type "Ada Lovelace" into Full name, ' +
  '"12 Engine Street" into Address and "4242 4242 4242 4242" into Card number. Choose "Express", check "I accept the ' +
  'terms" and click "Place order". Save the Order number as order.';
