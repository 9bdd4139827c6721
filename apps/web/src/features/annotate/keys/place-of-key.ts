/**
 * Where a key was pressed, which says what it may do. Shortcuts act in the form and on the page itself, never in an input
 * of another part, in a menu or in a dialog; on a button of the form or the record only those with a modifier.
 */
export type KeyPlace =
  /** An option or the question as a whole: every shortcut acts. */
  | 'form'
  /** Text is written there, or a plain key presses a button: only what has a modifier acts. */
  | 'writing'
  /** Nothing in particular has the focus. */
  | 'page'
  | 'elsewhere'

type Regions = { readonly form: Element | null; readonly record: Element | null }

const control = 'button, a[href], input, textarea, select, summary, iframe, [contenteditable], [role=button]'

/** What has the focus again when its menu or dialog has closed. */
const pressed = 'button, a[href], summary'

export const placeOf = (target: EventTarget | null, { form, record }: Regions): KeyPlace => {
  if (!(target instanceof Element)) return 'page'
  if (form?.contains(target)) {
    if (target.closest('textarea, input, select, [contenteditable]')) return 'writing'
    if (target.closest('[data-option]') || !target.closest(control)) return 'form'
    return target.closest(pressed) && !target.closest('[role=menu], dialog') ? 'writing' : 'elsewhere'
  }
  if (target.closest('[data-span-text]')) return 'form'
  // The boxes that select records use the keys they need themselves.
  if (target.closest('[data-select-record], [data-select-page]')) return 'page'
  if (target === document.body || target === document.documentElement || target.id === 'main') return 'page'
  if (!record?.contains(target) || target.closest('[role=menu], dialog')) return 'elsewhere'
  if (!target.closest(control)) return 'page'
  return target.closest(pressed) ? 'writing' : 'elsewhere'
}
