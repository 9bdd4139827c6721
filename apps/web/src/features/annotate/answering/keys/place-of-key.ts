/**
 * Where a key was pressed. The place determines what the key does. Shortcuts work in the form and on the page itself, never in
 * other inputs, menus or dialogs. On a button of the form or the record, only shortcuts with a modifier work.
 */
export type KeyPlace =
  /** An option or a whole question has focus: all shortcuts work. */
  | 'form'
  /** The focus is in a text input or on a button that plain keys activate. Only shortcuts with a modifier work. */
  | 'writing'
  /** Nothing in particular has focus. */
  | 'page'
  | 'elsewhere'

type Regions = { readonly form: Element | null; readonly record: Element | null }

const control = 'button, a[href], input, textarea, select, summary, iframe, [contenteditable], [role=button]'

/** Elements that regain focus when their menu or dialog closes. */
const pressed = 'button, a[href], summary'

export const keyPlaceOf = (target: EventTarget | null, { form, record }: Regions): KeyPlace => {
  if (!(target instanceof Element)) return 'page'
  if (form?.contains(target)) {
    if (target.closest('textarea, input, select, [contenteditable]')) return 'writing'
    if (target.closest('[data-option]') || !target.closest(control)) return 'form'
    return target.closest(pressed) && !target.closest('[role=menu], dialog') ? 'writing' : 'elsewhere'
  }
  if (target.closest('[data-span-text]')) return 'form'
  // The checkboxes that select records handle their keys themselves.
  if (target.closest('[data-select-record], [data-select-page]')) return 'page'
  if (target === document.body || target === document.documentElement || target.id === 'main') return 'page'
  if (!record?.contains(target) || target.closest('[role=menu], dialog')) return 'elsewhere'
  if (!target.closest(control)) return 'page'
  return target.closest(pressed) ? 'writing' : 'elsewhere'
}
