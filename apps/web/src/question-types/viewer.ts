import { createContext } from 'react'

/** The record on the screen and the person who answers it. */
export type Viewer = { readonly recordId: string; readonly userId: string }

/** Null in bulk answers, previews and read-only views, because no single record is answered there. */
export const ViewerContext = createContext<Viewer | null>(null)
