/** The view of a page in CSS pixels, unless a command gives it another size. */
export const VIEWPORT = { width: 1280, height: 800 };
