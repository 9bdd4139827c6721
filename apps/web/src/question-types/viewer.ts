import { createContext } from 'react'

/** The record on the screen and the person who answers it. */
export type Viewer = { readonly recordId: string; readonly userId: string }

/** Null where no single record is answered: in bulk answers, previews and read-only views. */
export const ViewerContext = createContext<Viewer | null>(null)
