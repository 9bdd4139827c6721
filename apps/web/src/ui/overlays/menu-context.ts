import { createContext, use } from 'react'

/** Closes the menu that an item is in, and gives the focus back to its button. */
export const MenuContext = createContext<() => void>(() => {})
export const useCloseMenu = (): (() => void) => use(MenuContext)
