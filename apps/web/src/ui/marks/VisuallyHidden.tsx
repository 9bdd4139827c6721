import type { ReactNode } from 'react'

/** Content that is read out but not shown. */
export const VisuallyHidden = ({ children }: { readonly children: ReactNode }) => (
  <span className="visually-hidden">{children}</span>
)
