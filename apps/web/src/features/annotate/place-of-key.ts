/**
 * Where a key was pressed, which says what it may do. Shortcuts act in the form and on the page itself, never in an input
 * of another part, on a button, in a menu or in a dialog.
 */
export type KeyPlace =
  /** An option or the question as a whole: every shortcut acts. */
  | 'form'
  /** Text is written there: only what has a modifier acts. */
  | 'writing'
  /** Nothing in particular has the focus. */
  | 'page'
  | 'elsewhere'

type Regions = { readonly form: Element | null; readonly record: Element | null }

const control = 'button, a[href], input, textarea, select, summary, iframe, [contenteditable], [role=button]'

export const placeOf = (target: EventTarget | null, { form, record }: Regions): KeyPlace => {
  if (!(target instanceof Element)) return 'page'
  if (form?.contains(target)) {
    if (target.closest('textarea, input, select, [contenteditable]')) return 'writing'
    return target.closest('[data-option]') || !target.closest(control) ? 'form' : 'elsewhere'
  }
  if (target.closest('[data-span-text]')) return 'form'
  // The boxes that select records use the keys they need themselves.
  if (target.closest('[data-select-record], [data-select-page]')) return 'page'
  if (target === document.body || target === document.documentElement || target.id === 'main') return 'page'
  return record?.contains(target) && !target.closest(control) ? 'page' : 'elsewhere'
}
