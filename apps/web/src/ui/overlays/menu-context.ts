import { createContext, use } from 'react'

/** Closes the menu that contains an item and returns the focus to the menu's button. */
export const MenuContext = createContext<() => void>(() => {})
export const useCloseMenu = (): (() => void) => use(MenuContext)
