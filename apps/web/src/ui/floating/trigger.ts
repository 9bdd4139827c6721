import type { ComponentProps } from 'react'

/** The props that a button must pass on to its `<button>` to open a menu. */
export type TriggerProps = Pick<
  ComponentProps<'button'>,
  'ref' | 'id' | 'onKeyDown' | 'popoverTarget' | 'aria-haspopup' | 'aria-expanded'
> & { readonly 'data-popup-open'?: '' | undefined }
