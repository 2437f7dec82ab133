/** The size of the view that a model gives coordinates of, in CSS pixels. */
export interface View {
  width: number;
  height: number;
}

/** The view of a page in CSS pixels, unless a command gives it another size. */
export const VIEWPORT = { width: 1280, height: 800 };
